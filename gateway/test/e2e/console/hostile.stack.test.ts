import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import {
  createTable,
  putItems,
  type CustomerAccount,
} from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { PATHS } from '../../../src/console/api/paths.ts';
import { CHROMIUM_TIMEOUT_MS } from '../sign-in/chromium/launch.ts';
import { sharedChromium } from '../sign-in/chromium/shared.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { newAccount, newTenant, registerSchema, type TestTenant } from '../support/tenant.ts';
import { queryPage } from './support/query-page.ts';
import { newConsoleUser, signedInAs, type ConsolePerson } from './support/people.ts';

const MARKUP = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
/** Right-to-left override, zero-width space. */
const SPOOFED = 'gpj\u202Egnp.exe\u200Bx';

describe('The console among strangers’ names, values and pages', function () {
  this.timeout(CHROMIUM_TIMEOUT_MS + STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let browser: Browser;
  let tenant: TestTenant;
  let account: CustomerAccount;
  let person: ConsolePerson;

  before(async () => {
    browser = await sharedChromium();
    stack = await sharedStack();
    tenant = await newTenant(stack);
    account = newAccount(stack);
    await createTable(account, {
      TableName: 'odd',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    });
    await putItems(account, 'odd', [
      { id: { S: 'a' }, [MARKUP]: { S: MARKUP }, [SPOOFED]: { N: '12345678901234567890123456789012345678' } },
    ]);
    await registerSchema(stack, tenant, account, { schemaName: 'strange', tableAllowlist: ['odd'] });
    person = await signedInAs(browser, stack, await newConsoleUser(stack, tenant.tenantId, 'admin'));
  });
  after(async () => {
    account?.close();
    await person?.close();
  });

  it('shows them as text, with what is not seen by its code, and every digit', async () => {
    const { page } = person;
    await person.show('tables/strange/odd', 'odd');
    await page.getByRole('button', { name: /Read 10 items/ }).click();
    await page.getByText('12345678901234567890123456789012345678').waitFor();
    expect(await page.getByText(MARKUP, { exact: true }).count()).to.be.greaterThan(1);
    expect(await page.getByText('U+202E').count()).to.be.greaterThan(0);
    expect(await page.getByText('U+200B').count()).to.be.greaterThan(0);
    expect(await page.title()).to.equal('Tables – Penstock');
    expect(await page.locator('main img, main script').count()).to.equal(0);
  });

  it('runs no script that a client’s name, an error or an address brings along', async () => {
    const { page } = person;
    const made = await person.ask(PATHS.clients, { method: 'POST', body: { name: MARKUP } });
    expect(made.status, JSON.stringify(made.body)).to.be.oneOf([200, 201]);
    await person.show('access/clients', 'Access');
    await page.getByText(MARKUP, { exact: true }).first().waitFor();
    await page.goto(`${stack.consoleUrl}/tables/strange/${encodeURIComponent(MARKUP)}`);
    await page.getByRole('alert').waitFor();
    await page.goto(`${stack.consoleUrl}/query#sql=${encodeURIComponent(MARKUP)}`);
    await page.getByRole('heading', { level: 1, name: 'Query' }).waitFor({ state: 'attached' });
    await page.getByText('onerror').first().waitFor();
    expect(await page.title()).to.not.include('owned');
    expect(await page.locator('img').count()).to.equal(0);
  });

  it('shows them as text in the grid, its panel, the plan and errors of the Query page', async () => {
    const { page } = person;
    const query = queryPage(page, stack.baseUrl);
    await query.open();
    await query.write('SELECT * FROM strange.odd');
    await query.run();
    await query.ended();
    const names = (await query.grid.getByRole('columnheader').allInnerTexts()).join('\n');
    expect(names).to.include(MARKUP).and.include('U+202E').and.include('U+200B');
    await query.grid.getByRole('gridcell', { name: MARKUP }).dblclick();
    const panel = page.getByRole('complementary', { name: 'Value' });
    expect(await panel.locator('pre').innerText()).to.equal(MARKUP);
    await page.keyboard.press('Escape');
    await query.write(`SELECT id FROM strange."<b>bold</b> ${SPOOFED}"`);
    await query.run();
    const failure = page.getByRole('region', { name: 'Result' }).getByRole('alert');
    await failure.getByText('<b>bold</b>').waitFor();
    expect(await failure.innerText()).to.include('U+202E');
    expect(await page.locator('main img:not(.cm-widgetBuffer), main script, main b').count()).to.equal(0);
    expect(await page.title()).to.not.include('owned');
  });

  it('is put into no frame of another page', async () => {
    const framed = await elsewhere(`<iframe src="${stack.consoleUrl}/tables"></iframe>`, async (url) => {
      const page = await person.page.context().newPage();
      await page.goto(url);
      await page.waitForLoadState('networkidle');
      const text = await page
        .frames()[1]
        ?.locator('body')
        .innerText({ timeout: 2_000 })
        .catch(() => '');
      await page.close();
      return text;
    });
    expect(framed ?? '').to.not.include('Tables');
  });

  it('takes no request of another page, whatever that page may send', async () => {
    const target = `${stack.baseUrl}${PATHS.clients}`;
    await elsewhere('<p>A page of strangers</p>', async (url) => {
      const page = await person.page.context().newPage();
      await page.goto(url);
      const outcomes = await page.evaluate(
        async ([to, session]) => {
          const tries: RequestInit[] = [
            { credentials: 'include' },
            { credentials: 'include', headers: { 'x-penstock-console': '1' } },
            { credentials: 'include', mode: 'no-cors', method: 'POST', body: '{"name":"evil"}' },
          ];
          const seen: string[] = [];
          for (const init of tries)
            for (const address of [to, session])
              seen.push(
                await fetch(address, init).then(
                  (answer) => `${answer.type} ${answer.status}`,
                  () => 'failed',
                ),
              );
          return seen;
        },
        [target, `${stack.baseUrl}${PATHS.session}`] as const,
      );
      await page.close();
      for (const outcome of outcomes) expect(outcome).to.be.oneOf(['failed', 'opaque 0']);
    });
    const clients = await person.ask(PATHS.clients);
    expect(JSON.stringify(clients.body)).to.not.include('evil');
  });

  it('takes no request of its own origin that lacks the console’s header', async () => {
    for (const [path, method] of [
      [PATHS.session, 'GET'],
      [PATHS.clients, 'GET'],
      [PATHS.signOut, 'POST'],
      ['/v1/schemas', 'GET'],
    ] as const) {
      expect((await person.ask(path, { method, bare: true })).status, path).to.equal(401);
    }
    expect((await person.ask(PATHS.session)).status).to.equal(200);
  });
});

/** A page of another origin, for as long as it is looked at. */
async function elsewhere<T>(body: string, look: (url: string) => Promise<T>): Promise<T> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>Elsewhere</title>${body}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await look(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
