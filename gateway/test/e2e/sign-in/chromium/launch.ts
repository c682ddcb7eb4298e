import { chromium, type Browser } from 'playwright-core';
import { findChromium } from './find.ts';

/** The first run on a new machine downloads it. */
export const CHROMIUM_TIMEOUT_MS = 600_000;

const LAUNCH_TIMEOUT_MS = 60_000;

/** A Chromium without a window; the caller closes it. */
export async function launchChromium(): Promise<Browser> {
  const { path, env } = await findChromium();
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return chromium.launch({
    executablePath: path,
    env: { ...Object.fromEntries(inherited), ...env },
    timeout: LAUNCH_TIMEOUT_MS,
  });
}
