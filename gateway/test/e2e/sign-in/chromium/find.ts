/**
 * Finds a Chromium, or gets one without root.
 *
 * Order: the PATH; what Playwright or an earlier run has downloaded; Debian's packages; Playwright's own download; else
 * an instruction. What is downloaded lies in the user's cache folder, beside Playwright's: a hundred megabytes should
 * survive `make clean` and a new checkout.
 */
import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { unpackedChromium, unpackFromDebian } from './debian.ts';
import { downloadByPlaywright } from './playwright-download.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export interface ChromiumBinary {
  readonly path: string;
  /** What must be added to the environment for it to start. */
  readonly env: Readonly<Record<string, string>>;
}

/** Where to look, and how to get one. */
export interface ChromiumSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where packages of Debian are unpacked. */
  readonly cacheDir: string;
  /** Where Playwright's own would be. */
  readonly playwrightPath: string;
  /** In the order in which they are tried; each throws, or leaves a binary where it is looked for. */
  readonly installers: readonly (() => Promise<void>)[];
}

function defaultSources(env: Readonly<Record<string, string | undefined>> = process.env): ChromiumSources {
  const cacheDir = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'penstock/chromium');
  return {
    env,
    cacheDir,
    playwrightPath: chromium.executablePath(),
    installers: [() => unpackFromDebian(cacheDir), downloadByPlaywright],
  };
}

/** @throws Error that says what to install, with why each way failed as its cause */
export async function findChromium(sources = defaultSources()): Promise<ChromiumBinary> {
  const failures: unknown[] = [];
  for (const install of [async () => undefined, ...sources.installers]) {
    await install().catch((error: unknown) => failures.push(error));
    const found = await existing(sources);
    if (found !== null) return found;
  }
  throw new Error(
    'The sign-in tests need Chromium. None is on the PATH, and neither the packages of Debian nor a download of ' +
      'Playwright gave one. Install Chromium or Chrome so that `chromium` or `google-chrome` is on the PATH (for ' +
      'example `apt-get install chromium`), or run `npx playwright-core install chromium`.',
    { cause: new AggregateError(failures) },
  );
}

async function existing({ env, cacheDir, playwrightPath }: ChromiumSources): Promise<ChromiumBinary | null> {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    for (const name of NAMES) {
      if (folder !== '' && (await executable(join(folder, name))))
        return { path: join(folder, name), env: {} };
    }
  }
  if (await executable(playwrightPath)) return { path: playwrightPath, env: {} };
  const unpacked = unpackedChromium(cacheDir);
  return (await executable(unpacked.path)) ? unpacked : null;
}

async function executable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
