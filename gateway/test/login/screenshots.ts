/**
 * `node gateway/test/login/screenshots.ts FOLDER [STATE…]`: a picture of every state of the hosted pages, or of some, light and dark, on a
 * desktop and on a phone, and of some with the keyboard's focus, without JavaScript and enlarged.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchChromium } from '../e2e/sign-in/chromium/launch.ts';
import { servePageStates } from './support/page-server.ts';
import { PAGE_STATES } from './support/page-states.ts';

const WIDTHS = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

const [, , folder, ...chosen] = process.argv;
if (folder === undefined) throw new Error('Say where to: node gateway/test/login/screenshots.ts FOLDER');
await mkdir(folder, { recursive: true });

/** Pictures of pages, after as many presses of the tab key as given. */
async function take(
  browser: Browser,
  settings: BrowserContextOptions,
  names: readonly string[],
  suffix: string,
  tabs = 0,
): Promise<void> {
  const context = await browser.newContext(settings);
  const page = await context.newPage();
  for (const name of names.filter((each) => chosen.length === 0 || chosen.includes(each))) {
    await page.goto(`${pages.url}/${name}`);
    for (let i = 0; i < tabs; i += 1) await page.keyboard.press('Tab');
    await page.screenshot({ path: join(folder!, `${name}-${suffix}.png`), fullPage: true });
  }
  await context.close();
}

const [browser, pages] = await Promise.all([launchChromium(), servePageStates()]);
try {
  const all = Object.keys(PAGE_STATES);
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [device, viewport] of Object.entries(WIDTHS)) {
      await take(browser, { colorScheme, viewport }, all, `${device}-${colorScheme}`);
    }
    const viewport = WIDTHS.desktop;
    await take(browser, { colorScheme, viewport }, ['sign-in', 'consent'], `focus-${colorScheme}`, 3);
    await take(
      browser,
      { colorScheme, viewport, javaScriptEnabled: false },
      ['sign-in', 'enroll'],
      `plain-${colorScheme}`,
    );
  }
  const enlarged = { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 };
  await take(browser, enlarged, ['sign-in', 'consent', 'second-factor'], 'zoom-400');
  await take(browser, { forcedColors: 'active' }, ['sign-in', 'consent'], 'forced-colors');
} finally {
  await Promise.all([browser.close(), pages.close()]);
}
