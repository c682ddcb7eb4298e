/**
 * One Chromium for all tests of a run, started by the first that asks and closed by `mochaGlobalTeardown` (see
 * .mocharc.json). Whoever uses it closes the contexts they opened: each has cookies and storage of its own.
 */
import type { Browser } from 'playwright-core';
import { launchChromium } from './launch.ts';

let shared: Promise<Browser> | null = null;

export function sharedChromium(): Promise<Browser> {
  shared ??= launchChromium();
  return shared;
}

export async function mochaGlobalTeardown(): Promise<void> {
  const browser = await shared?.catch(() => null);
  await browser?.close();
}
