/**
 * `node gateway/bench/console/main.ts`: how much is loaded before one can write a query, how soon one can, and how
 * smoothly 100,000 rows scroll. Against a stack of its own, in Chromium without a window.
 */
import { loadavg } from 'node:os';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../test/e2e/sign-in/chromium/launch.ts';
import { newPerson } from '../../test/e2e/sign-in/support/person.ts';
import { discardStack, startTestStack } from '../../test/e2e/support/stack.ts';
import { newTenant } from '../../test/e2e/support/tenant.ts';
import { newUser } from '../../test/login/support/sign-in.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { loadedBytes, timeToEditor } from './loading.ts';
import { scrolledFrames } from './scrolling.ts';

const LOADS = 20;

const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

async function signedIn(stack: RunningStack, browser: Browser): Promise<Page> {
  const tenant = await newTenant(stack);
  const person = await newPerson(browser);
  await person.open(`${stack.baseUrl}/console/query`);
  await person.signInWithPassword(await newUser(stack, tenant.tenantId, 'now', 'admin'));
  await person.page.getByRole('textbox', { name: /^SQL/ }).waitFor();
  return person.page;
}

function print(name: string, value: string): void {
  process.stdout.write(`${name.padEnd(58)} ${value}\n`);
}

const stack = await startTestStack({});
const browser = await launchChromium();
try {
  const page = await signedIn(stack, browser);
  const { files, bytes } = await loadedBytes(page, `${stack.baseUrl}/console/query`);
  print('first load, compressed', `${(bytes / 1_000).toFixed(1)} kB in ${files} files`);
  for (const cache of ['cold', 'warm'] as const) {
    const times: number[] = [];
    for (let i = 0; i < LOADS; i += 1) {
      times.push(await timeToEditor(page, `${stack.baseUrl}/console/query`, cache));
    }
    times.sort((a, b) => a - b);
    const [p50, p95] = [share(times, 0.5), share(times, 0.95)];
    print(
      `until one can write, ${cache} cache, ${LOADS} loads`,
      `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
    );
  }
  const { frames, computed, rows } = await scrolledFrames(browser, page);
  const inMs = (all: number[]): string => {
    all.sort((a, b) => a - b);
    const [p50, p99, longest] = [share(all, 0.5), share(all, 0.99), share(all, 1)];
    return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${longest.toFixed(1)} ms`;
  };
  print(`frames while ${rows.toLocaleString('en-US')} rows scroll, ${frames.length} of them`, inMs(frames));
  print('of it computed by the page, processor time', inMs(computed));
  print('load average of the machine, last minute', (loadavg()[0] ?? Number.NaN).toFixed(1));
} finally {
  await browser.close();
  await discardStack(stack);
}
