/** The grid of a result with more columns than fit: what one points at is what one gets. */
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import {
  createTable,
  putItems,
  type CustomerAccount,
} from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { CHROMIUM_TIMEOUT_MS } from '../sign-in/chromium/launch.ts';
import { sharedChromium } from '../sign-in/chromium/shared.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { newAccount, newTenant, registerSchema, type TestTenant } from '../support/tenant.ts';
import { newConsoleUser, signedInAs, type ConsolePerson } from './support/people.ts';
import { queryPage, type QueryPage } from './support/query-page.ts';

const COLUMNS = Array.from({ length: 16 }, (_, at) => `c${String(at).padStart(2, '0')}`);
const ROWS = 12;
/** Longer from row to row, so that columns are guessed wider as rows come. */
const valueAt = (column: string, row: number): string => `${column} of row ${row} ${'w'.repeat(row * 2)}`;
/** So much that the rows come in several pieces. */
const FILLER_CHARS = 300_000;
const SQL = `SELECT ${COLUMNS.join(', ')}, filler FROM grid.broad ORDER BY id`;

/** The middle of it, from the grid's top. */
const FOURTH_ROW_PX = 46 + 3 * 28 + 14;
const EDGES = `(() => {
  const places = (selector) => {
    const found = {};
    for (const element of document.querySelectorAll(selector)) {
      const { left, right } = element.getBoundingClientRect();
      (found[element.ariaColIndex] ??= new Set()).add(Math.round(left) + ' to ' + Math.round(right));
    }
    return Object.fromEntries(Object.entries(found).map(([at, all]) => [at, [...all].join(', ')]));
  };
  return { names: places('.grid-head > *'), cells: places('.grid-row > *') };
})()`;

describe('The grid of a result', function () {
  this.timeout(CHROMIUM_TIMEOUT_MS + STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let browser: Browser;
  let tenant: TestTenant;
  let account: CustomerAccount;
  let person: ConsolePerson;
  let query: QueryPage;

  before(async () => {
    [browser, stack] = await Promise.all([sharedChromium(), sharedStack()]);
    tenant = await newTenant(stack);
    account = newAccount(stack);
    await createTable(account, {
      TableName: 'broad',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }],
    });
    const items = Array.from({ length: ROWS }, (_, row) => ({
      id: { N: String(row) },
      ...Object.fromEntries(COLUMNS.map((column) => [column, { S: valueAt(column, row) }])),
      filler: { S: 'f'.repeat(FILLER_CHARS) },
    }));
    await putItems(account, 'broad', items);
    await registerSchema(stack, tenant, account, { schemaName: 'grid' });
    await tenant.query('SELECT COUNT(*) FROM grid.broad');
    person = await signedInAs(browser, stack, await newConsoleUser(stack, tenant.tenantId, 'admin'));
    query = queryPage(person.page, stack.baseUrl);
  });
  beforeEach(async () => {
    await query.open();
    await run(SQL);
  });
  after(async () => {
    account?.close();
    await person?.close();
  });

  const run = async (sql: string): Promise<void> => {
    await query.write(sql);
    await query.run();
    await query.grid.getByRole('gridcell').first().waitFor();
    await query.ended();
  };
  /** Each drawn column: where its name and its cells stand. */
  const edges = (): Promise<Record<'names' | 'cells', Record<string, string>>> => query.page.evaluate(EDGES);
  const scrollTo = async (left: number): Promise<void> => {
    await query.page.evaluate(`document.querySelector('[role=grid]').scrollTo({ left: ${left} })`);
    // It is drawn by the second frame.
    await query.page.evaluate(
      'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
    );
  };
  /** What stands so far from the grid's left, in its fourth row: the place, the name above it, and the value. */
  const pointed = async (right: number) => {
    const box = await query.grid.boundingBox();
    const [x, y] = [(box?.x ?? 0) + right, box?.y ?? 0];
    const textAt = (dy: number, role: string): Promise<string> =>
      query.page.evaluate(`document.elementFromPoint(${x}, ${y + dy}).closest('[role=${role}]').innerText`);
    const name = (await textAt(20, 'columnheader')).split('\n')[0] ?? '';
    return { x, y: y + FOURTH_ROW_PX, name, value: await textAt(FOURTH_ROW_PX, 'gridcell') };
  };

  it('has each cell below its name, as soon as rows are there and wherever it is scrolled', async () => {
    for (const left of [0, 333, 2_000, 100_000]) {
      await scrollTo(left);
      const { names, cells } = await edges();
      expect(Object.keys(names).length).to.be.above(3);
      expect(cells, `scrolled to ${left}`).to.deep.equal(names);
    }
  });

  it('has each cell below its name when later rows have made the columns wider, and all still fit', async () => {
    await run('SELECT c00, filler, c01 FROM grid.broad ORDER BY id');
    const { names, cells } = await edges();
    expect(cells).to.deep.equal(names);
  });

  it('keeps each cell below its name while a column is made wider, by keys or by its edge', async () => {
    const { page, grid } = query;
    await scrollTo(333);
    const before = (await edges()).names;
    await grid.locator('[data-row="2"][data-column="2"]').click();
    await page.keyboard.press('Alt+ArrowRight');
    const wider = await edges();
    expect(wider.names).to.not.deep.equal(before);
    expect(wider.cells).to.deep.equal(wider.names);
    const edge = await grid.locator('.grid-column', { hasText: 'c02' }).locator('.grid-edge').boundingBox();
    await page.mouse.move((edge?.x ?? 0) + 4, (edge?.y ?? 0) + 10);
    await page.mouse.down();
    await page.mouse.move((edge?.x ?? 0) + 64, (edge?.y ?? 0) + 10);
    await page.mouse.up();
    const widest = await edges();
    expect(widest.names).to.not.deep.equal(wider.names);
    expect(widest.cells).to.deep.equal(widest.names);
  });

  it('shows 1,600 columns, few of them drawn, and leads to the last by one key', async () => {
    const all = Array.from({ length: 1_600 }, (_, at) => `${at} AS "n${at}"`);
    await run(`SELECT ${all.join(', ')}`);
    const { grid, page } = query;
    expect(await grid.getAttribute('aria-colcount')).to.equal('1601');
    expect(await grid.getByRole('gridcell').count()).to.be.below(40);
    await grid.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('End');
    await grid.getByRole('gridcell', { name: '1599' }).waitFor();
    const { names, cells } = await edges();
    expect(cells).to.deep.equal(names);
    expect(await grid.getAttribute('aria-activedescendant')).to.equal(
      await grid.getByRole('gridcell', { name: '1599' }).getAttribute('id'),
    );
    await scrollTo(0);
    expect(await grid.getAttribute('aria-activedescendant')).to.equal(null);
  });

  it('opens the value that is double-clicked, scrolled sideways or not', async () => {
    for (const left of [0, 333, 2_000]) {
      await scrollTo(left);
      for (const right of [120, 700]) {
        const { x, y, name, value } = await pointed(right);
        expect(value).to.equal(valueAt(name, 3));
        await query.page.mouse.dblclick(x, y);
        const panel = query.page.getByRole('complementary', { name: 'Value' });
        expect(await panel.locator('strong').innerText()).to.equal(name);
        expect(await panel.locator('pre').innerText()).to.equal(value);
        await query.page.keyboard.press('Escape');
        await panel.waitFor({ state: 'detached' });
        await scrollTo(left);
      }
    }
  });
});
