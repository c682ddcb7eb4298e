/**
 * Finds the real `redis-server`, or gets it without root.
 *
 * Order: the PATH; what an earlier run unpacked; Debian's packages; else an instruction.
 */
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { libraryFolder, unpackDebianPackages } from '../debian/unpack.ts';

/** redis-server of Debian and what it links against that a minimal system may lack. */
const PACKAGES = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1'];

const APT_TIMEOUT_MS = 120_000;

interface RedisBinary {
  readonly path: string;
  /** What must be added to the environment for it to start. */
  readonly env: Readonly<Record<string, string>>;
}

/** @param cacheDir where an unpacked Redis is kept for next time */
export async function findRedisBinary(cacheDir: string, env = process.env): Promise<RedisBinary> {
  return (await onPath(env)) ?? (await unpacked(cacheDir)) ?? (await unpackFromDebian(cacheDir));
}

async function onPath(env: NodeJS.ProcessEnv): Promise<RedisBinary | null> {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, 'redis-server');
    if (folder !== '' && (await executable(path))) return { path, env: {} };
  }
  return null;
}

async function unpacked(cacheDir: string): Promise<RedisBinary | null> {
  const path = join(cacheDir, 'root/usr/bin/redis-server');
  if (!(await executable(path))) return null;
  return { path, env: { LD_LIBRARY_PATH: libraryFolder(join(cacheDir, 'root')) } };
}

async function unpackFromDebian(cacheDir: string): Promise<RedisBinary> {
  try {
    const limits = { updateMsMax: APT_TIMEOUT_MS, stepMsMax: APT_TIMEOUT_MS };
    await unpackDebianPackages({ names: PACKAGES, cacheDir, ...limits });
  } catch (error) {
    throw new Error(
      'redis-server was not found and could not be unpacked from Debian packages. Install Redis 6.2 or later ' +
        '(for example `apt-get install redis-server` or `brew install redis`) so that `redis-server` is on the PATH.',
      { cause: error },
    );
  }
  const binary = await unpacked(cacheDir);
  if (binary === null) throw new Error(`redis-server was unpacked into ${cacheDir}, but is not there`);
  return binary;
}

async function executable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
