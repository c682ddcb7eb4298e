/**
 * Finds the real `redis-server`, or gets it without root.
 *
 * Order: the PATH; what an earlier run unpacked; Debian's packages, downloaded by apt with state folders of our own (so
 * that neither root nor an up-to-date system list is needed) and unpacked; else an instruction.
 */
import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { arch } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** redis-server of Debian and what it links against that a minimal system may lack. */
const PACKAGES = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1'];

const APT_TIMEOUT_MS = 120_000;

const LIBRARY_FOLDERS: Readonly<Record<string, string>> = {
  x64: 'x86_64-linux-gnu',
  arm64: 'aarch64-linux-gnu',
};

export interface RedisBinary {
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
  const libraries = join(cacheDir, 'root/usr/lib', LIBRARY_FOLDERS[arch()] ?? '');
  return { path, env: { LD_LIBRARY_PATH: libraries } };
}

async function unpackFromDebian(cacheDir: string): Promise<RedisBinary> {
  await mkdir(cacheDir, { recursive: true });
  const work = await mkdtemp(join(cacheDir, 'unpack-'));
  try {
    await mkdir(join(work, 'lists/partial'), { recursive: true });
    await mkdir(join(work, 'cache/archives/partial'), { recursive: true });
    const options = [
      ['-o', `Dir::State::lists=${work}/lists`],
      ['-o', `Dir::Cache=${work}/cache`],
      ['-o', 'Debug::NoLocking=true'],
    ].flat();
    const settings = { cwd: work, timeout: APT_TIMEOUT_MS };
    await run('apt-get', [...options, 'update'], settings);
    await run('apt-get', [...options, 'download', ...PACKAGES], settings);
    for (const file of await readdir(work)) {
      if (file.endsWith('.deb')) await run('dpkg-deb', ['-x', file, 'root'], settings);
    }
    // Another stack may have unpacked meanwhile; theirs is as good.
    await rename(join(work, 'root'), join(cacheDir, 'root')).catch(() => undefined);
  } catch (error) {
    throw new Error(
      'redis-server was not found and could not be unpacked from Debian packages. Install Redis 6.2 or later ' +
        '(for example `apt-get install redis-server` or `brew install redis`) so that `redis-server` is on the PATH.',
      { cause: error },
    );
  } finally {
    await rm(work, { recursive: true, force: true });
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
