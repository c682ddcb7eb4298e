/** Chromium from Debian's packages, unpacked into a folder: needs neither root nor an up-to-date system list. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { arch } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ChromiumBinary } from './find.ts';

const run = promisify(execFile);

/** The one without a window is smaller by a third; its data; and a font, since a minimal system has none. */
const PACKAGES = ['chromium-headless-shell', 'chromium-common', 'fonts-liberation'];

const UPDATE_TIMEOUT_MS = 60_000;
const DOWNLOAD_TIMEOUT_MS = 300_000;

const LIBRARY_FOLDERS: Readonly<Record<string, string>> = {
  x64: 'x86_64-linux-gnu',
  arm64: 'aarch64-linux-gnu',
};

/** Where an unpacked one is, if it is. */
export function unpackedChromium(cacheDir: string): ChromiumBinary {
  const root = join(cacheDir, 'root');
  const libraries = join(root, 'usr/lib', LIBRARY_FOLDERS[arch()] ?? '');
  return {
    path: join(root, 'usr/lib/chromium/chromium-headless-shell'),
    env: {
      LD_LIBRARY_PATH: `${libraries}:${join(libraries, 'pulseaudio')}`,
      FONTCONFIG_FILE: join(root, 'fonts.conf'),
    },
  };
}

const fontsConf = (root: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${join(root, 'usr/share/fonts')}</dir>
  <cachedir>${join(root, 'var/cache/fontconfig')}</cachedir>
</fontconfig>
`;

/**
 * Downloads the packages and whatever they depend on that this system lacks, and unpacks them.
 * @throws Error where there is no apt, or it has no such package (Ubuntu has it as a snap only)
 */
export async function unpackFromDebian(cacheDir: string): Promise<void> {
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
    await run('apt-get', [...options, 'update'], { cwd: work, timeout: UPDATE_TIMEOUT_MS });
    // `--reinstall`: those of PACKAGES that the system has are needed in the folder all the same.
    const flags = ['--download-only', '--reinstall', '--no-install-recommends', '-y', '-qq'];
    const download = ['install', ...flags, ...PACKAGES];
    await run('apt-get', [...options, ...download], { cwd: work, timeout: DOWNLOAD_TIMEOUT_MS });
    const archives = join(work, 'cache/archives');
    for (const file of await readdir(archives)) {
      // A newer C library than the system's would not go with the system's loader.
      if (!file.endsWith('.deb') || file.startsWith('libc6_')) continue;
      await run('dpkg-deb', ['-x', join(archives, file), 'root'], {
        cwd: work,
        timeout: DOWNLOAD_TIMEOUT_MS,
      });
    }
    await writeFile(join(work, 'root/fonts.conf'), fontsConf(join(cacheDir, 'root')));
    // Another run may have unpacked meanwhile; theirs is as good.
    await rename(join(work, 'root'), join(cacheDir, 'root')).catch(() => undefined);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
