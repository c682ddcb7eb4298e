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
/** A person's pause before the next line; what is offered is there by then. */
const PAUSE_MS = 250;
/** As people write them: each line ends in a word that something else begins with. */
const TYPED: readonly string[] = [
  'SELECT * FROM shop.orders LIMIT 10\nOFFSET 5',
  'SELECT count(*) AS n\nFROM shop.orders',
  'SELECT * FROM shop.customers c\nJOIN shop.orders o\nON c.id = o.customer_id',
  'SELECT city, sum(total) AS t\nFROM shop.orders\nGROUP BY c\nORDER BY t\nLIMIT 5',
  'SELECT * FROM shop.orders\nWHERE total > 25\nAND amount = 1',
  '-- monthly re\nSELECT 1',
  'WITH t AS (SELECT 1 AS k)\nSELECT * FROM t\nWHERE k = 1',
];

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

  it('leaves what one types as it is, at whatever pace: Enter begins a line', async () => {
    const page = await at('query-empty');
    const editor = page.getByRole('textbox', { name: /^SQL/ });
    for (const sql of TYPED) {
      await editor.focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press('Delete');
      for (const [i, line] of sql.split('\n').entries()) {
        // Sleeps: plays a person, who stops before the next line, while words are offered.
        if (i > 0) await sleep(PAUSE_MS);
        if (i > 0) await page.keyboard.press('Enter');
        await page.keyboard.type(line, { delay: 10 });
      }
      const lines = await page.locator('.cm-line').allInnerTexts();
      expect(lines.map((line) => line.trim()).join('\n')).to.equal(sql);
    }
  });

  it('takes what is offered by Tab, and by Enter once an arrow has chosen it', async () => {
    const page = await at('query-empty');
    const editor = page.getByRole('textbox', { name: /^SQL/ });
    for (const [keys, taken] of [
      [['Tab'], /^SELECT o\.amount FROM shop\.orders o$/],
      [['ArrowDown', 'Enter'], /^SELECT o\.amount FROM shop\.orders o$/],
    ] as const) {
      await editor.focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText('SELECT o. FROM shop.orders o');
      await page.keyboard.press('Home');
      for (let i = 0; i < 'SELECT o.'.length; i++) await page.keyboard.press('ArrowRight');
      await page.keyboard.type('amo');
      await page.getByRole('option', { name: /^amount/ }).waitFor();
      // Sleeps: what is offered is taken a moment after it appears, so that nobody takes it by accident.
      await sleep(PAUSE_MS);
      for (const key of keys) await page.keyboard.press(key);
      expect(await page.locator('.cm-line').first().innerText()).to.match(taken);
    }
  });

  it('offers nothing in comments, numbers and names that one gives', async () => {
    const page = await at('query-empty');
    const editor = page.getByRole('textbox', { name: /^SQL/ });
    for (const sql of ['-- monthly re', 'SELECT 10', "SELECT 'sel", 'SELECT COUNT(*) AS na']) {
      await editor.focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(sql);
      // Sleeps: as long as offers take to come.
      await sleep(PAUSE_MS);
      expect(await page.getByRole('listbox').count(), sql).to.equal(0);
    }
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

  it('rows are sorted and found by keys, as they are seen, and come back as they came', async () => {
    const page = await at('query-arranged');
    const first = (): Promise<string> => page.locator('[data-row="0"][data-column="2"]').innerText();
    const ascending = await first();
    await page.getByRole('grid').focus();
    for (let i = 0; i < 2; i += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByText(/by revenue, descending$/).waitFor();
    expect((await first()).length)
      .to.be.above(30)
      .and.above(ascending.length);
    await page.getByRole('button', { name: 'As they came' }).click();
    await page.getByText(/of 400 rows/).waitFor({ state: 'detached' });
    expect(await page.getByRole('searchbox', { name: /^Find in the rows/ }).inputValue()).to.equal('');
  });

  it('a name of the tree is written where the caret is, and a table is found by its columns', async () => {
    const page = await at('query-tree');
    const editor = page.getByRole('textbox', { name: /^SQL/ });
    await editor.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    for (let i = 0; i < 'SELECT o.'.length; i++) await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: /^amount/ }).press('Enter');
    expect(await page.locator('.cm-line').first().innerText()).to.equal('SELECT o.amount FROM shop.orders o');
    await page.locator('.cm-editor.cm-focused').waitFor();
    const tree = page.getByRole('search', { name: 'Tables' });
    await tree.getByRole('searchbox').fill('city');
    await tree.getByRole('button', { name: 'Columns of shop.orders' }).waitFor({ state: 'detached' });
    await tree.getByRole('button', { name: /^city/ }).click();
    expect(await page.locator('.cm-line').first().innerText()).to.include('o.amountaddress.city');
  });

  it('several queries stand beside each other, each with its text and its rows, also after a reload', async () => {
    const page = await at('query-tabs');
    const editor = page.getByRole('textbox', { name: /^SQL/ });
    const shown = page.getByRole('tab', { selected: true }).and(page.locator('.query-tab'));
    const titles = (): Promise<readonly string[]> => page.locator('.query-tab-title').allInnerTexts();
    expect((await titles()).slice(1)).to.deep.equal(['Paid orders by city', 'New query']);
    await editor.focus();
    await page.keyboard.insertText('SELECT 3 AS third');
    await page.keyboard.press('Alt+PageUp');
    await shown.getByText('Paid orders by city').waitFor();
    // What was written in another tab is not undone here.
    await editor.focus();
    await page.keyboard.press('ControlOrMeta+z');
    expect(await editor.locator('.cm-line').first().innerText()).to.equal(
      'SELECT c.address.city, COUNT(*) AS orders',
    );
    await page.keyboard.press('Alt+PageUp');
    await page.getByRole('gridcell').first().waitFor();
    await page.reload();
    await page.locator('.query-tab').nth(2).waitFor();
    expect((await titles()).slice(1)).to.deep.equal(['Paid orders by city', 'SELECT 3 AS third']);
    await shown.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Delete');
    // It was neither saved nor run.
    await page.getByRole('dialog').getByRole('button', { name: 'Close it' }).click();
    await page.locator('.query-tab:focus').waitFor();
    await page.keyboard.press('Delete');
    await page.locator('.query-tab').first().waitFor({ state: 'detached' });
    await editorHasFocus(page);
    expect(await editor.locator('.cm-line').first().innerText()).to.match(/^SELECT c\.address\.city/);
  });

  it('a row is a form of all its columns, and the next rows follow by keys', async () => {
    const page = await at('query-row');
    const form = page.getByRole('complementary', { name: 'Row' });
    const isAt = (row: string): Promise<void> => form.getByText(row, { exact: true }).waitFor();
    await isAt('Row 2');
    await page.keyboard.press('Alt+ArrowDown');
    await isAt('Row 3');
    for (let i = 0; i < 80; i += 1) await page.keyboard.press('Alt+ArrowDown');
    await page.locator('.grid-cell.active[data-row="82"]').waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await isAt('Row 82');
    await form.locator('summary').first().click();
    await form.locator('pre').first().waitFor();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await page.locator('[role=grid]:focus').waitFor();
  });

  it('an earlier version of a saved query is restored by saving it anew, and opened', async () => {
    const page = await at('query-versions');
    await page
      .getByRole('dialog', { name: /^Versions/ })
      .getByText('ada.lovelace')
      .click();
    const saved = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Restore' }).click();
    expect((await saved).postDataJSON()).to.deep.equal({ sql: 'SELECT 2 AS what_ada_had', version: 3 });
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    await editorHasFocus(page);
    expect(await page.locator('.cm-line').first().innerText()).to.equal('SELECT 2 AS what_ada_had');
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
