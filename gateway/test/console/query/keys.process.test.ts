/** Keys and buttons of the Query page that have to work wherever one comes from. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { CHROMIUM_TIMEOUT_MS } from '../../e2e/sign-in/chromium/launch.ts';
import { sharedChromium } from '../../e2e/sign-in/chromium/shared.ts';
import { show } from '../pictures/show.ts';
import { openSite, type Site } from '../pictures/site.ts';
import type { State } from '../pictures/state.ts';
import { CONSOLE_STATES } from '../pictures/states/all.ts';

/** The editor looks for completions a tenth of a second after one has typed. */
const CATALOG_LATE_MS = 500;

describe('On the Query page', function () {
  this.timeout(CHROMIUM_TIMEOUT_MS);
  let site: Site;
  before(async () => {
    site = await openSite(await sharedChromium(), { viewport: { width: 1280, height: 800 } });
  });
  after(() => site?.close());

  async function at(state: string, change: Partial<State> = {}): Promise<Page> {
    const found = CONSOLE_STATES[state];
    if (found === undefined) throw new Error(`there is no state ${state}`);
    await show(site, { ...found, ...change });
    return site.page;
  }
  const stopButton = (page: Page) => page.getByRole('button', { name: /^Stop/ });
  const editorHasFocus = (page: Page) => page.locator('.cm-editor.cm-focused').waitFor();

  it('what one begins with can be run by its keys at once', async () => {
    const page = await at('query-empty');
    await page.getByRole('button', { name: /^Begin with/ }).click();
    await editorHasFocus(page);
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.locator('.run-footer').waitFor();
  });

  it('a saved query that was opened can be run by its keys at once', async () => {
    const page = await at('query-saved');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Paid orders by city/ })
      .click();
    await editorHasFocus(page);
  });

  /** Types after the statement, does that, and has the tables known only then. */
  async function beforeTheCatalog(typed: string, act: (page: Page) => Promise<void>): Promise<Page> {
    const CATALOG = '**/console/api/catalog';
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await site.page.route(CATALOG, async (route) => {
      await released;
      await route.continue();
    });
    try {
      const page = await at('query-running', { act: async () => undefined });
      await page.getByRole('textbox', { name: /^SQL/ }).click();
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.type(typed);
      await act(page);
      const known = page.waitForResponse(CATALOG);
      release();
      await known;
      return page;
    } finally {
      release();
      await site.page.unroute(CATALOG);
    }
  }

  it('completes what was typed before the tables were known, once they are', async () => {
    // Sleeps: plays a catalog that comes when the editor has looked for completions and found none.
    const page = await beforeTheCatalog(', o.', () => sleep(CATALOG_LATE_MS));
    await page.getByRole('option', { name: /^amount/ }).waitFor();
  });

  it('stops at Escape although the tables are known after it was run', async () => {
    const page = await beforeTheCatalog(', o.', async ({ keyboard }) => {
      await keyboard.press('ControlOrMeta+Enter');
    });
    await stopButton(page).waitFor();
    await page.keyboard.press('Escape');
    await stopButton(page).waitFor({ state: 'detached' });
  });

  it('runs and stops by its keys, wherever the focus is', async () => {
    const page = await at('query-running');
    await page.getByRole('button', { name: /^BatchGetItem/ }).focus();
    await page.keyboard.press('Escape');
    await stopButton(page).waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+Enter');
    await stopButton(page).waitFor();
  });

  it('leaves the keys of what is open over the page to that', async () => {
    const page = await at('query-running');
    await page.getByRole('button', { name: /^History/ }).click();
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await stopButton(page).isVisible()).to.equal(true);
  });

  it('saves a chart as a picture at the first press', async () => {
    const page = await at('query-rows');
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.locator('.chart-place canvas').waitFor();
    for (const [format, begin] of [
      ['PNG', '\u0089PNG'],
      ['SVG', '<svg xmlns='],
    ] as const) {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: format, exact: true }).click(),
      ]);
      expect(file.suggestedFilename()).to.match(new RegExp(`\\.${format.toLowerCase()}$`));
      expect((await readFile(await file.path(), 'latin1')).startsWith(begin), format).to.equal(true);
    }
  });
});
