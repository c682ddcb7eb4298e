/** Chromium from Debian's packages, unpacked into a folder: needs neither root nor an up-to-date system list. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { libraryFolder, unpackDebianPackages } from '../../../../../deploy/local/src/debian/unpack.ts';
import type { ChromiumBinary } from './find.ts';

/** The one without a window is smaller by a third; its data; and a font, since a minimal system has none. */
const PACKAGES = ['chromium-headless-shell', 'chromium-common', 'fonts-liberation'];

const UPDATE_TIMEOUT_MS = 60_000;
const DOWNLOAD_TIMEOUT_MS = 300_000;

/** Where an unpacked one is, if it is. */
export function unpackedChromium(cacheDir: string): ChromiumBinary {
  const root = join(cacheDir, 'root');
  const libraries = libraryFolder(root);
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
  await unpackDebianPackages({
    names: PACKAGES,
    withDependencies: true,
    cacheDir,
    updateMsMax: UPDATE_TIMEOUT_MS,
    stepMsMax: DOWNLOAD_TIMEOUT_MS,
    complete: (unpacked) => writeFile(join(unpacked, 'fonts.conf'), fontsConf(join(cacheDir, 'root'))),
  });
}
