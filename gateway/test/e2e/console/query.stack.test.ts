/** The Query page against the stack: type, see the price, run, look at rows, draw them, save them. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import {
  createTable,
  putItems,
  type CustomerAccount,
} from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { until } from '../../../../services/common/test/support/until.ts';
import { CHROMIUM_TIMEOUT_MS } from '../sign-in/chromium/launch.ts';
import { sharedChromium } from '../sign-in/chromium/shared.ts';
import { clearRequests, requestsOf, setFaults } from '../support/request-log.ts';
import { seedShop, seedWide } from '../support/shop.ts';
import { newUser } from '../../login/support/sign-in.ts';
import { newPerson, type Person } from '../sign-in/support/person.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { newAccount, newTenant, registerSchema, type TestTenant } from '../support/tenant.ts';
import { queryPage, type QueryPage } from './support/query-page.ts';

const DIGITS = '12345678901234567890123456789012345678';
const MARKUP = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
const DOCUMENT_CHARS = 390_000;
/**
 * Items of about 12 KB: 18 MB, which the way to a browser would hold all of. So only an engine that is told how much is
 * looked at reads less.
 */
const MANY_ITEMS = 1_500;
/** All of them, in half units of 4 KB each. */
const MANY_UNITS = (MANY_ITEMS * 12_020) / 8_192;
/** A page of the endpoint takes so long, so that a query is met on its way. */
const SLOW_MS = 400;
/** Completion takes no key in its first 75 ms. */
const READ_MS = 200;
/** Nothing is on its way any more where nothing has come for so long. */
const STEADY_MS = 2_000;

/** Waits until a number has not changed for so long, and gives it. */
async function untilSteady(count: () => Promise<number>, ms: number): Promise<number> {
  let last = await count();
  let since = performance.now();
  await until(
    async () => {
      const now = await count();
      if (now !== last) [last, since] = [now, performance.now()];
      return performance.now() - since >= ms;
    },
    { what: 'nothing more is read' },
  );
  return last;
}

const keptIn = (page: Page): Promise<string> =>
  page.evaluate<string>('JSON.stringify({ ...sessionStorage })');

describe('The Query page of the console', function () {
  this.timeout(CHROMIUM_TIMEOUT_MS + STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let browser: Browser;
  let tenant: TestTenant;
  let account: CustomerAccount;
  let person: Person;
  let query: QueryPage;

  before(async () => {
    [browser, stack] = await Promise.all([sharedChromium(), sharedStack()]);
    tenant = await newTenant(stack);
    account = newAccount(stack);
    await seedShop(account);
    await seedWide(account, 'long', 100, 200_000);
    await seedWide(account, 'many', MANY_ITEMS, 12_000);
    await createTable(account, {
      TableName: 'odd',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    });
    await putItems(account, 'odd', [
      { id: { S: 'a' }, digits: { N: DIGITS }, text: { S: '' }, doc: { M: { n: { N: `${DIGITS}` } } } },
      {
        id: { S: 'b' },
        text: { S: MARKUP },
        doc: { M: { long: { S: 'x'.repeat(DOCUMENT_CHARS - 6) + 'finish' } } },
      },
    ]);
    await registerSchema(stack, tenant, account, { schemaName: 'shop' });
    for (const table of ['customers', 'orders', 'long', 'many', 'odd']) {
      await tenant.query(`SELECT COUNT(*) FROM shop.${table}`);
    }
    person = await newPerson(browser);
    await person.open(`${stack.baseUrl}/console/query`);
    await person.signInWithPassword(await newUser(stack, tenant.tenantId, 'now', 'admin'));
    query = queryPage(person.page, stack.baseUrl);
  });
  beforeEach(async () => {
    await setFaults(stack, []);
    await query.open();
  });
  after(async () => {
    await setFaults(stack, []);
    account?.close();
    await person?.close();
  });

  it('completes a column, says what the query will cost, runs it, draws it and saves it as CSV', async () => {
    const { page, editor, grid } = query;
    await editor.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('SELECT o.no, o.total FROM shop.orders o WHERE o.cust');
    await page.getByRole('option', { name: /customer_id.*key/ }).waitFor();
    // Sleeps: plays a person, who reads what is offered first.
    await sleep(READ_MS);
    await page.keyboard.press('Tab');
    await page.keyboard.insertText(" = 'c1'");
    expect(await query.text()).to.equal("SELECT o.no, o.total FROM shop.orders o WHERE o.customer_id = 'c1'");
    await query.estimated();
    const node = page.getByRole('button', { name: /^Query\s*shop\.orders/ });
    await node.waitFor();
    await query.run();
    await grid.getByRole('gridcell').first().waitFor();
    expect(await query.cells(0)).to.deep.equal(['1', '10.5']);
    expect(await query.ended()).to.match(/^2 rows\s[\s\S]*0\.5 units/);
    expect(await node.innerText()).to.include('0.5 read');
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.locator('.chart-place canvas').waitFor();
    await page.getByRole('button', { name: 'Download the result' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^CSV every value/ }).click(),
    ]);
    expect(file.suggestedFilename()).to.match(/^penstock-.*\.csv$/);
    expect(await readFile(await file.path(), 'utf8')).to.equal('no,total\r\n1,10.5\r\n2,20\r\n');
  });

  it('shows every digit, NULL unlike empty text, markup as text, and documents folded', async () => {
    const { page, grid } = query;
    await query.write('SELECT id, digits, text, doc FROM shop.odd ORDER BY id');
    await query.run();
    await grid.getByRole('gridcell').first().waitFor();
    await query.ended();
    expect((await query.cells(0)).slice(0, 3)).to.deep.equal(['a', DIGITS, "''"]);
    expect((await query.cells(1)).slice(0, 3)).to.deep.equal(['b', 'NULL', MARKUP]);
    expect(await page.title()).to.equal('Query – Penstock');
    expect((await query.cells(1))[3]?.length).to.be.below(1_000);
    await grid.locator('[data-row="1"][data-column="3"]').click();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Value' });
    const whole = await panel.locator('pre', { hasText: 'finish"' }).innerText();
    expect(whole.length).to.be.above(DOCUMENT_CHARS - 1);
    expect(whole).to.include('finish"');
    await page.keyboard.press('Escape');
    await grid.locator('[data-row="0"][data-column="3"]').click();
    await page.keyboard.press('Enter');
    await panel.getByText(`"n": ${DIGITS}`).waitFor();
  });

  it('marks what is wrong where it stands, and writes what was meant at one key', async () => {
    const { page } = query;
    await query.write('SELECT nmae FROM shop.customers');
    await page.locator('.cm-lintRange-error').getByText('nmae').waitFor();
    await query.editor.focus();
    await page.keyboard.press('ControlOrMeta+.');
    expect(await query.text()).to.equal('SELECT name FROM shop.customers');
    await query.estimated();
  });

  it('runs what is selected, and only that', async () => {
    await query.write("SELECT 'first' AS a\nSELECT 'second' AS b");
    await query.page.keyboard.press('Home');
    await query.page.keyboard.press('Shift+End');
    await query.run();
    await query.grid.getByRole('gridcell', { name: 'second' }).waitFor();
    expect(await query.ended()).to.match(/^1 row\s/);
  });

  it('stops at Escape, and reading stops with it', async () => {
    await setFaults(stack, [{ accountId: account.accountId, tableName: 'long', latencyMs: SLOW_MS }]);
    await clearRequests(stack, account);
    await query.write('SELECT COUNT(filler) FROM shop.long');
    await query.run();
    const { footer } = query;
    await footer.getByText(/[1-9][\d.,]* units/).waitFor();
    await query.page.keyboard.press('Escape');
    await footer.getByText('Stopped').waitFor();
    const count = async (): Promise<number> => (await requestsOf(stack, account)).length;
    const read = await untilSteady(count, STEADY_MS);
    expect(read).to.be.within(1, 18);
    // Sleeps: proves that nothing more is read.
    await sleep(3 * SLOW_MS);
    expect(await count()).to.equal(read);
  });

  it('reads no further than one looks, and on as one scrolls', async () => {
    const { page, grid } = query;
    const consumed = async (): Promise<number> =>
      (await requestsOf(stack, account)).reduce((sum, { consumedUnits }) => sum + (consumedUnits ?? 0), 0);
    await clearRequests(stack, account);
    await query.write('SELECT id, filler FROM shop.many');
    await query.run();
    await query.footer.getByText('More come as you scroll').waitFor();
    // Two pages of the table.
    const before = await untilSteady(consumed, STEADY_MS);
    expect(before).to.be.below(MANY_UNITS * 0.2);
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ControlOrMeta+End');
    await page.getByRole('button', { name: 'Read all' }).click();
    expect(await query.ended()).to.match(/^1,500 rows/);
    expect(await consumed()).to.be.within(MANY_UNITS * 0.95, MANY_UNITS * 1.1);
  });

  it('says that a result nobody scrolled was read no further, and reads it anew at one click', async () => {
    // In a browser of its own, whose clock can be put forward.
    const storageState = await query.page.context().storageState();
    const context = await browser.newContext({ storageState });
    const waiting = queryPage(await context.newPage(), stack.baseUrl);
    const { page, grid, footer } = waiting;
    await page.clock.install();
    await waiting.open();
    await waiting.write('SELECT id, filler FROM shop.many');
    await waiting.run();
    await footer.getByText('More come as you scroll').waitFor();
    await waiting.write('SELECT 1');
    await page.clock.fastForward(310_000);
    await footer.getByText('The rest was not read, since nobody scrolled on').waitFor();
    expect(await footer.innerText()).to.match(/^1\d\d rows/);
    await footer.getByRole('button', { name: 'Run again' }).click();
    await footer.getByText('More come as you scroll').waitFor();
    expect(await grid.getByRole('columnheader').allInnerTexts()).to.have.length(3);
    expect(await waiting.text()).to.equal('SELECT 1');
    await context.close();
  });

  it('scrolls through 100,000 rows to the last, with few of them drawn', async () => {
    const { page, grid } = query;
    await query.write(
      "SELECT n, n * 7 AS seven, 'row ' || n AS name FROM generate_series(1, 100000) AS g(n)",
    );
    await query.run();
    await grid.getByRole('gridcell').first().waitFor();
    await page
      .getByRole('button', { name: 'Read all' })
      .click({ timeout: 5_000 })
      .catch(() => undefined);
    expect(await query.ended()).to.match(/^100,000 rows/);
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ControlOrMeta+End');
    await grid.getByRole('gridcell', { name: 'row 100000' }).waitFor();
    expect(await grid.getByRole('row').count()).to.be.below(100);
    const heap = await page.evaluate<number>('performance.memory.usedJSHeapSize');
    expect(heap).to.be.below(120_000_000);
  });

  it('keeps what was written over a reload, and tabs apart', async () => {
    await query.write("SELECT 'mine' AS a");
    await query.page.reload();
    await query.editor.waitFor();
    expect(await query.text()).to.equal("SELECT 'mine' AS a");
    const other = queryPage(await query.page.context().newPage(), stack.baseUrl);
    await other.open();
    await other.write("SELECT 'theirs' AS a");
    // What is kept of the other tab's is kept a moment after it was typed.
    await until(async () => (await keptIn(other.page)).includes('theirs'), {
      what: 'the other text is kept',
    });
    await query.page.reload();
    await query.editor.waitFor();
    expect(await query.text()).to.equal("SELECT 'mine' AS a");
    await other.page.close();
  });

  it('opens a link without running it, and goes back and forward', async () => {
    const { page } = query;
    const sql = 'SELECT COUNT(*) FROM shop.customers -- <b>&"\'';
    await clearRequests(stack, account);
    await page.goto(`${stack.baseUrl}/console/tables`);
    await page.goto(`${stack.baseUrl}/console/query#sql=${encodeURIComponent(sql)}`);
    await query.editor.waitFor();
    await query.estimated();
    expect(await query.text()).to.equal(sql);
    expect((await requestsOf(stack, account)).filter(({ consumedUnits }) => consumedUnits)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Tables' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tables' }).waitFor();
    await page.goBack();
    await query.editor.waitFor();
    expect(await query.text()).to.equal(sql);
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: 'Tables' }).waitFor();
  });

  it('keeps a history in the browser', async () => {
    const { page } = query;
    await query.write("SELECT 'kept' AS a");
    await query.run();
    await query.ended();
    await query.write('SELECT 2');
    await page.getByRole('button', { name: 'History', exact: true }).click();
    await page.getByRole('button', { name: /SELECT 'kept' AS a.*1 row/s }).click();
    expect(await query.text()).to.equal("SELECT 'kept' AS a");
  });

  it('keeps the text when the gateway is killed, says so, and goes on when it is back', async () => {
    const { page } = query;
    await query.write("SELECT 'before' AS a");
    process.kill(stack.pid('gateway')!, 'SIGKILL');
    await query.write("SELECT 'after' AS a");
    await page.getByText('Penstock does not answer at the moment').waitFor();
    await page
      .getByRole('status', { name: 'Estimated cost' })
      .getByText(/0 units/)
      .waitFor({ timeout: 40_000 });
    await page.getByText('Penstock does not answer at the moment').waitFor({ state: 'hidden' });
    await query.editor.focus();
    await query.run();
    await query.grid.getByRole('gridcell', { name: 'after' }).waitFor();
  });

  it('keeps the text when the session ends while one types', async () => {
    const { page } = query;
    await query.write("SELECT 'still");
    await query.estimateSaid();
    await page.context().clearCookies({ name: /^penstock-console/ });
    // What one types asks for its price by itself: nothing is run.
    await page.keyboard.insertText(" here' AS a");
    await page.getByRole('dialog', { name: 'You were signed out' }).waitFor();
    await page.getByRole('button', { name: 'Sign in again' }).click();
    // The hosted login still knows who this is.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await query.editor.waitFor();
    expect(await query.text()).to.equal("SELECT 'still here' AS a");
  });

  it('forgets what was written when somebody signs out', async () => {
    const { page } = query;
    await query.write("SELECT 'secret' AS a");
    await query.run();
    await query.ended();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByLabel('Password').waitFor();
    const kept = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(kept).to.not.include('secret');
  });
});
