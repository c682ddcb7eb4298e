/** The Query page: empty, while one writes, with each kind of result. */
import type { Page } from 'playwright-core';
import type { Act, States } from '../state.ts';
import { answering, cheapPlan, failure, known, planned, result, saved, texts } from './query-answers.ts';

const SQL = `SELECT c.address.city, COUNT(*) AS orders, SUM(o.amount) AS revenue
FROM shop.orders o JOIN shop.customers c ON o.customer_id = c.customer_id
WHERE o.status = 'PAID' -- what was paid
GROUP BY 1 ORDER BY revenue DESC`;
const link = (sql: string): string => `query#sql=${encodeURIComponent(sql)}`;

const run: Act = async (page) => {
  await page.getByText('shop.orders').filter({ visible: true }).first().waitFor();
  await page.getByRole('button', { name: /^Run/ }).click();
};
const ran: Act = async (page) => {
  await run(page);
  await page.getByRole('gridcell').first().waitFor();
  await page
    .getByText(/[\d,.]+ units$/)
    .filter({ visible: true })
    .first()
    .waitFor();
};
const opened =
  (name: RegExp | string): Act =>
  async (page: Page) => {
    await page.getByRole('button', { name }).click();
    await page.getByRole('dialog').waitFor();
  };

const rows = answering({ ndjson: result(400) });
const of = (answer: ReturnType<typeof answering>) => ({ ...known, 'POST /v1/query': answer });
const wrongColumn = failure(
  'Column not found: nmae',
  'at line 1, column 8: Column not found: nmae; did you mean name?; an attribute that the sample has not seen can be read by its exact name in double quotes\nSELECT nmae FROM shop.customers\n       ^',
);

export const queryStates: States = {
  'query-empty': { path: 'query', answers: known, shows: 'Begin with a query' },
  'query-no-tables': {
    path: 'query',
    answers: { ...known, 'GET /console/api/catalog': { data: { tables: [] } } },
    shows: 'No table is connected yet',
  },
  'query-planned': {
    path: link("SELECT order_id, amount FROM shop.orders WHERE customer_id = 'C001'"),
    answers: of(answering(null, { data: cheapPlan })),
    shows: 'About 8.5–12 units',
  },
  'query-dear': {
    path: link(SQL),
    answers: of(rows),
    shows: 'About 5,125–5,760 units',
    act: async (page) => {
      await page.getByRole('button', { name: /^Limit/ }).click();
      await page.getByRole('textbox', { name: /Read units/ }).fill('1000');
      await page.getByRole('button', { name: 'Save', exact: true }).last().click();
      await page.getByRole('button', { name: /shop.orders/ }).click();
    },
  },
  'query-completion': {
    path: link(SQL),
    answers: of(rows),
    shows: 'About 5,125–5,760 units',
    act: async (page) => {
      await page.getByRole('textbox', { name: /SQL/ }).click();
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.type(', o.');
      await page.getByRole('listbox').waitFor();
    },
  },
  'query-wrong': {
    path: link('SELECT nmae FROM shop.customers'),
    answers: of(answering(wrongColumn, wrongColumn)),
    shows: 'See the marked place',
  },
  'query-running': { path: link(SQL), answers: { ...of(answering(null)) }, shows: 'About 5,125', act: run },
  'query-rows': { path: link(SQL), answers: of(rows), shows: 'About 5,125', act: ran },
  'query-value': {
    path: link(SQL),
    answers: of(rows),
    shows: 'About 5,125',
    act: async (page) => {
      await ran(page);
      await page.getByRole('grid').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      for (let i = 0; i < 6; i += 1) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.getByText('12345678901234567890123456789012345678.5').last().waitFor();
    },
  },
  'query-row': {
    path: link(SQL),
    answers: of(rows),
    shows: 'About 5,125',
    act: async (page) => {
      await ran(page);
      await page.getByRole('grid').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Shift+Enter');
      await page.getByRole('complementary', { name: 'Row' }).waitFor();
    },
  },
  'query-tabs': {
    path: link(SQL),
    answers: of(rows),
    shows: 'About 5,125',
    act: async (page) => {
      await ran(page);
      await opened(/^Saved$/)(page);
      await page.getByRole('button', { name: /^Paid orders by city/ }).click();
      await page.getByRole('tab', { name: 'Paid orders by city' }).waitFor();
      await page.getByRole('button', { name: 'New' }).click();
      await page.getByRole('tab', { name: 'New query' }).waitFor();
    },
  },
  'query-versions': {
    path: 'query',
    answers: {
      ...of(rows),
      'GET /console/api/saved-queries/s1/texts': { data: texts },
      'PATCH /console/api/saved-queries/s1': {
        by: (body) => ({ data: { ...saved[0], ...(JSON.parse(body) as object), version: 4 } }),
      },
    },
    shows: 'Begin with',
    act: async (page) => {
      await opened(/^Saved$/)(page);
      await page.getByRole('button', { name: 'Versions of Paid orders by city' }).click();
      await page.getByText('what_ada_had').waitFor({ state: 'attached' });
    },
  },
  'query-no-rows': {
    path: link(SQL),
    answers: of(answering({ ndjson: result(0) })),
    shows: 'About 5,125',
    act: async (page) => {
      await run(page);
      await page.getByText('No row answers').waitFor();
    },
  },
  'query-failed': {
    path: link(SQL),
    answers: of(
      answering(
        failure(
          'Read limit reached: 1000 units',
          'The query was stopped after 1000.5 read units, above maxReadUnits',
        ),
      ),
    ),
    shows: 'About 5,125',
    act: async (page) => {
      await run(page);
      await page.getByText('The query failed').waitFor();
    },
  },
  'query-chart': {
    path: link(SQL),
    answers: of(answering({ ndjson: result(28) }, { data: planned })),
    shows: 'About 5,125',
    act: async (page) => {
      await ran(page);
      await page.getByRole('tab', { name: 'Chart' }).click();
      await page.getByRole('radio', { name: 'Bars' }).check({ force: true });
      await page.locator('.chart-place canvas').waitFor();
    },
  },
  'query-saved': { path: 'query', answers: known, shows: 'Begin with', act: opened(/^Saved$/) },
  'query-history': {
    path: link(SQL),
    answers: of(rows),
    shows: 'About 5,125',
    act: async (page) => {
      await ran(page);
      await opened('History')(page);
    },
  },
  'query-save': { path: link(SQL), answers: of(rows), shows: 'About 5,125', act: opened(/^Save$/) },
  'query-arranged': {
    path: link(SQL),
    answers: of(rows),
    shows: 'About 5,125',
    act: async (page) => {
      await ran(page);
      await page.getByRole('searchbox', { name: /^Find in the rows/ }).fill('graz');
      await page.getByText(/^50 of 400 rows/).waitFor();
      await page.getByRole('columnheader', { name: /^revenue/ }).click();
      await page.getByText(/by revenue/).waitFor();
    },
  },
  'query-tree': {
    path: link('SELECT o. FROM shop.orders o'),
    answers: of(answering(null)),
    shows: 'About 5,125',
    act: async (page) => {
      await page.getByRole('button', { name: 'Tables' }).click();
      await page.getByRole('button', { name: 'Columns of shop.orders' }).click();
      await page.getByRole('button', { name: /^amount/ }).waitFor();
    },
  },
  'query-save-conflict': {
    path: 'query',
    answers: {
      ...known,
      'POST /v1/query': answering(null),
      'PATCH /console/api/saved-queries/s1': {
        status: 409,
        code: 'CONFLICT',
        message: 'grace changed this query meanwhile',
      },
      'GET /console/api/saved-queries/s1': {
        data: { ...saved[0], version: 4, sql: 'SELECT 1 AS what_grace_made_of_it' },
      },
    },
    shows: 'Begin with',
    act: async (page) => {
      await opened(/^Saved$/)(page);
      await page.getByRole('button', { name: /^Paid orders by city/ }).click();
      await page.getByRole('button', { name: /^Save$/ }).click();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByRole('button', { name: 'Keep both' }).waitFor();
    },
  },
  'query-signed-out': {
    path: link(SQL),
    answers: of(answering({ status: 401, code: 'UNAUTHORIZED', message: 'Sign in' })),
    shows: 'About 5,125',
    act: async (page) => {
      await run(page);
      await page.getByRole('dialog').waitFor();
    },
  },
  'query-menus': {
    path: link(SQL),
    answers: of(rows),
    shows: 'About 5,125',
    act: async (page) => {
      await ran(page);
      await page.getByRole('button', { name: /Download the result/ }).click();
      await page.getByText('for spreadsheets').waitFor();
    },
  },
  'query-account': {
    path: 'query',
    answers: known,
    shows: 'Begin with',
    act: async (page) => {
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByText('Sign out').waitFor();
    },
  },
};
