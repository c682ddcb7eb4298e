/**
 * Programs from Debian's packages, unpacked into a folder: apt gets state folders of its own, so that neither root nor
 * an up-to-date system list is needed, and nothing is installed.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { arch } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const LIBRARY_FOLDERS: Readonly<Record<string, string>> = {
  x64: 'x86_64-linux-gnu',
  arm64: 'aarch64-linux-gnu',
};

interface DebianPackages {
  readonly names: readonly string[];
  /** Whatever they depend on that this system lacks comes too. */
  readonly withDependencies?: boolean;
  /** Kept for next time; what is unpacked is the folder `root` in it. */
  readonly cacheDir: string;
  /** Of getting the list of packages, and of each step after it. */
  readonly updateMsMax: number;
  readonly stepMsMax: number;
  /** Adds to what was unpacked before anybody sees it. */
  readonly complete?: (unpacked: string) => Promise<void>;
}

/**
 * Downloads and unpacks packages.
 * @returns the folder that holds them, as the system's root would
 * @throws Error where there is no apt, or it has no such package
 */
export async function unpackDebianPackages(packages: DebianPackages): Promise<string> {
  const { names, withDependencies = false, cacheDir, updateMsMax, stepMsMax, complete } = packages;
  await mkdir(cacheDir, { recursive: true });
  const work = await mkdtemp(join(cacheDir, 'unpack-'));
  const archives = join(work, 'cache/archives');
  try {
    await mkdir(join(work, 'lists/partial'), { recursive: true });
    await mkdir(join(archives, 'partial'), { recursive: true });
    const options = [
      ['-o', `Dir::State::lists=${work}/lists`],
      ['-o', `Dir::Cache=${work}/cache`],
      ['-o', 'Debug::NoLocking=true'],
    ].flat();
    const step = { cwd: archives, timeout: stepMsMax };
    await run('apt-get', [...options, 'update'], { cwd: work, timeout: updateMsMax });
    // `--reinstall`: those named that the system has are needed in the folder all the same.
    const download = withDependencies
      ? ['install', '--download-only', '--reinstall', '--no-install-recommends', '-y', '-qq']
      : ['download'];
    await run('apt-get', [...options, ...download, ...names], step);
    for (const file of await readdir(archives)) {
      // A newer C library than the system's would not go with the system's loader.
      if (!file.endsWith('.deb') || file.startsWith('libc6_')) continue;
      await run('dpkg-deb', ['-x', file, join(work, 'root')], step);
    }
    await complete?.(join(work, 'root'));
    // Another run may have unpacked meanwhile; theirs is as good.
    await rename(join(work, 'root'), join(cacheDir, 'root')).catch(() => undefined);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return join(cacheDir, 'root');
}

/** Where shared libraries of this machine's kind are below a root. */
export function libraryFolder(root: string): string {
  return join(root, 'usr/lib', LIBRARY_FOLDERS[arch()] ?? '');
}
