/**
 * `node gateway/test/console/pictures/main.ts FOLDER [STATE…]`: a picture of every state of the console's pages, or of
 * some, light and dark, on a desktop and on a phone; of some enlarged to 400 % and in forced colors.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchChromium } from '../../e2e/sign-in/chromium/launch.ts';
import { show } from './show.ts';
import { openSite } from './site.ts';
import { CONSOLE_STATES } from './states/all.ts';

const WIDTHS = { 1280: { width: 1280, height: 800 }, 390: { width: 390, height: 844 } };
const PATIENCE_MS = 10_000;

const [, , folder, ...chosen] = process.argv;
if (folder === undefined) throw new Error('Say where to: node gateway/test/console/pictures/main.ts FOLDER');
await mkdir(folder, { recursive: true });

async function take(
  browser: Browser,
  settings: BrowserContextOptions,
  names: readonly string[],
  suffix: string,
): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const name of names.filter((each) => chosen.length === 0 || chosen.includes(each))) {
    const state = CONSOLE_STATES[name];
    if (state === undefined) throw new Error(`There is no state called ${name}`);
    const site = await openSite(browser, settings);
    site.context.setDefaultTimeout(PATIENCE_MS);
    try {
      await show(site, state);
      await site.page.screenshot({ path: join(folder!, `${name}-${suffix}.png`), fullPage: true });
    } catch (error) {
      failures.push(`${name} (${suffix}): ${String(error)}`);
    }
    failures.push(...site.complaints.map((complaint) => `${name} (${suffix}): ${complaint}`));
    await site.close();
  }
  return failures;
}

const browser = await launchChromium();
const all = Object.keys(CONSOLE_STATES);
const failures: string[] = [];
try {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [width, viewport] of Object.entries(WIDTHS))
      failures.push(...(await take(browser, { colorScheme, viewport }, all, `${width}-${colorScheme}`)));
  const few = ['tables-table', 'connect-first', 'connect-wrong-external-id', 'usage', 'access', 'agents'];
  const enlarged = { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 };
  failures.push(...(await take(browser, enlarged, few, 'zoom-400')));
  failures.push(...(await take(browser, { forcedColors: 'active' }, few, 'forced-colors')));
} finally {
  await browser.close();
}
if (failures.length > 0) throw new Error(failures.join('\n'));
