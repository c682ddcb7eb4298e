import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { admin as operator } from '../../../../deploy/local/src/seed/admin.ts';
import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import type { ClientCredentials } from '../../../src/console/api/clients.ts';
import { PATHS } from '../../../src/console/api/paths.ts';
import { until } from '../../../../services/common/test/support/until.ts';
import { CHROMIUM_TIMEOUT_MS } from '../sign-in/chromium/launch.ts';
import { sharedChromium } from '../sign-in/chromium/shared.ts';
import { codeOf, password } from '../../login/support/sign-in.ts';
import { seedShop } from '../support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { newAccount, newTenant, registerSchema, tenantWith, type TestTenant } from '../support/tenant.ts';
import { atConsole, newConsoleUser, signedInAs, type ConsolePerson } from './support/people.ts';

const SHELL_TIMEOUT_MS = 30_000;

describe('Access in the console', function () {
  this.timeout(CHROMIUM_TIMEOUT_MS + STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let browser: Browser;
  let tenant: TestTenant;
  let account: CustomerAccount;
  let admin: ConsolePerson;

  before(async () => {
    browser = await sharedChromium();
    stack = await sharedStack();
    tenant = await newTenant(stack);
    account = newAccount(stack);
    await seedShop(account);
    await registerSchema(stack, tenant, account, {
      schemaName: 'shop',
      tableAllowlist: ['customers', 'orders'],
    });
    admin = await signedInAs(browser, stack, await newConsoleUser(stack, tenant.tenantId, 'admin'));
  });
  after(async () => {
    account?.close();
    await admin?.close();
  });

  it('sets a budget that the Usage page shows, and takes it away', async () => {
    const { page } = admin;
    await admin.show('access/budgets', 'Access');
    await page.getByRole('button', { name: 'Set a budget', exact: true }).click();
    await page.getByLabel('Read units a day').fill('2,000');
    await admin.press('Save');
    await page.getByText(/of 2,000 read units/).waitFor();
    await admin.show('usage', 'Usage');
    await page.getByText(/of 2,000 read units/).waitFor();
    // The operator's is shown, counts where it is smaller, and stays.
    const flags = ['--tenant', tenant.tenantId, '--day', '70'];
    await operator(stack.dataDir, 'budget', 'set', ...flags);
    await admin.show('access/budgets', 'Access');
    await page.getByText(/of 70 read units/).waitFor();
    await page.getByText(/The operator of the service allows 70 read units a day/).waitFor();
    await admin.press('Remove');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Set a budget', exact: true }).waitFor();
    await page.getByText(/of 70 read units/).waitFor();
    expect(await page.getByRole('button', { name: 'Remove', exact: true }).count()).to.equal(0);
    await operator(stack.dataDir, 'budget', 'remove', '--tenant', tenant.tenantId);
  });

  it('sets a budget for an API client, whose queries are refused once it is used up', async () => {
    const { page } = admin;
    const made = await admin.ask(PATHS.clients, {
      method: 'POST',
      body: { name: 'hungry', scopes: ['query'] },
    });
    const { client, clientSecret } = made.body.data as ClientCredentials;
    const hungry = await tenantWith(stack, tenant.tenantId, { clientId: client.clientId, clientSecret });
    await admin.show('access/budgets', 'Access');
    await admin.press('Set a budget for an API client');
    await page.getByRole('combobox', { name: 'API client' }).selectOption({ label: 'hungry' });
    await page.getByLabel('Read units a day').fill('0.5');
    await admin.press('Save');
    await page.getByText(/0 of 0\.5 read units/).waitFor();
    const refusal = async (): Promise<string> =>
      (await hungry.query('SELECT * FROM shop.orders')).body.error ?? '';
    // Engines hear of a budget, and of what is used up, within seconds.
    await until(async () => /budget/i.test(await refusal()), { what: 'the budget holds queries' });
    await admin.show('usage', 'Usage');
    await page.getByText(/of 0\.5 read units, .*refused/).waitFor();
    await admin.show('access/budgets', 'Access');
    await page.getByRole('button', { name: 'Remove the budget of hungry' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'hungry' }).waitFor({ state: 'detached' });
  });

  it('makes an API client whose curl works as it is shown, and ends its secret', async () => {
    const { page } = admin;
    await admin.show('access/clients', 'Access');
    await page.getByRole('button', { name: 'New API client' }).first().click();
    await page.getByLabel('Name').fill('nightly-report');
    await admin.press('Make it');
    const commands = await page.getByLabel('the curl commands', { exact: true }).innerText();
    const { stdout } = await promisify(execFile)('bash', ['-euc', commands], { timeout: SHELL_TIMEOUT_MS });
    const answer = JSON.parse(stdout) as { success: boolean; data: { data: unknown[] } };
    expect(answer.success, stdout).to.equal(true);
    expect(answer.data.data.length).to.be.greaterThan(0);

    await admin.press('I have stored it');
    const secret = /"clientSecret":"([^"]+)"/.exec(commands)?.[1] ?? '';
    expect(await page.content()).to.not.include(secret);
    await page.getByRole('button', { name: 'New secret for nightly-report' }).click();
    await admin.press('Make a new secret');
    await page.getByLabel('the curl commands', { exact: true }).waitFor();
    const clientId = /"clientId":"([^"]+)"/.exec(commands)?.[1];
    const refused = await fetch(`${stack.baseUrl}/v1/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientId, clientSecret: secret }),
    });
    expect(refused.status).to.equal(401);
  });

  it('invites a colleague, whose link enrolls a passkey that signs in', async () => {
    const { page } = admin;
    await admin.show('access/people', 'Access');
    await admin.press('Invite somebody');
    const email = `invited-${Date.now()}@example.com`;
    await page.getByLabel('E-mail address').fill(email);
    await admin.press('Make the link');
    const link = await page.getByLabel('the link', { exact: true }).innerText();
    const colleague = await atConsole(browser, stack);
    await colleague.open(link.trim());
    await colleague.createPasskey();
    await colleague.page.getByRole('heading', { level: 1, name: 'All set' }).waitFor();
    await colleague.open(`${stack.consoleUrl}/agents`);
    await colleague.signInWithPasskey();
    await colleague.page.getByRole('button', { name: `Account of ${email}` }).waitFor();
    await colleague.close();
  });

  it('invites a colleague without passkeys, whose link sets a password and an authenticator app', async () => {
    const { page } = admin;
    await admin.show('access/people', 'Access');
    await admin.press('Invite somebody');
    const email = `no-passkey-${Date.now()}@example.com`;
    await page.getByLabel('E-mail address').fill(email);
    await admin.press('Make the link');
    const link = (await page.getByLabel('the link', { exact: true }).innerText()).trim();
    const colleague = await atConsole(browser, stack);
    await colleague.page.addInitScript('delete window.PublicKeyCredential');
    await colleague.open(link);
    const at = colleague.page;
    expect(await at.getByRole('button', { name: 'Create a passkey' }).isVisible()).to.equal(false);
    await at.getByText("Can't scan it?").click();
    const totpSecret = (await at.locator('.secret').innerText()).replaceAll(' ', '');
    const fill = async (password: string, repeated: string, code: string): Promise<void> => {
      await at.getByLabel('Password', { exact: true }).fill(password);
      await at.getByLabel('The same password again').fill(repeated);
      await at.getByLabel('One-time code').fill(code);
      await colleague.press('Confirm code');
    };
    await fill(password, `${password}.`, codeOf(totpSecret));
    expect(await colleague.problem()).to.equal('The two passwords are not the same. Type them again.');
    expect(await at.getByLabel('Password', { exact: true }).inputValue()).to.equal('');
    await fill('aaaaaaaaaaaaa', 'aaaaaaaaaaaaa', codeOf(totpSecret));
    expect(await colleague.problem()).to.include('easy to guess');
    await fill(password, password, '000000');
    expect(await colleague.problem()).to.include('Type the password again');
    await fill(password, password, codeOf(totpSecret));
    await at.getByRole('heading', { level: 1, name: 'All set' }).waitFor();
    await colleague.open(link);
    expect(await colleague.problem()).to.include('expired or was used');

    await colleague.open(stack.consoleUrl);
    await colleague.signInWithNextCode({ userId: '', email, totpSecret, enrollUrl: '' });
    await at.getByRole('button', { name: `Account of ${email}` }).waitFor();
    await colleague.close();
  });

  it('shows a member none of its pages, and refuses them at the endpoints', async () => {
    const member = await signedInAs(browser, stack, await newConsoleUser(stack, tenant.tenantId, 'member'));
    const links = await member.page.getByRole('navigation', { name: 'Pages' }).first().innerText();
    expect(links.split(/\s+/).filter((word) => word !== '')).to.deep.equal(['Query', 'Tables', 'Agents']);
    for (const path of ['connect', 'usage', 'access', 'access/people']) {
      await member.open(`${stack.consoleUrl}/${path}`);
      await member.page.getByText('This page is for admins').waitFor();
    }
    const admins = [
      [PATHS.connect, 'GET'],
      [PATHS.clients, 'GET'],
      [PATHS.clients, 'POST'],
      [PATHS.people, 'GET'],
      [PATHS.people, 'POST'],
      [PATHS.budgets, 'GET'],
      [`${PATHS.budgets}/tenant`, 'PUT'],
      [`${PATHS.budgets}/tenant`, 'DELETE'],
      [`${PATHS.clients}/x/rotate-secret`, 'POST'],
      [`${PATHS.clients}/x/disable`, 'POST'],
      [`${PATHS.people}/x`, 'PATCH'],
      [`${PATHS.people}/x/disable`, 'POST'],
      [`${PATHS.people}/x/enroll-again`, 'POST'],
      [PATHS.usageByPrincipal, 'GET'],
      ['/v1/usage/summary', 'GET'],
      ['/v1/schemas', 'POST'],
      ['/v1/schemas/shop', 'DELETE'],
      ['/v1/schemas/shop/validate-role', 'POST'],
    ] as const;
    for (const [path, method] of admins) {
      const body = method === 'POST' || method === 'PUT' || method === 'PATCH' ? {} : undefined;
      const { status } = await member.ask(path, { method, ...(body === undefined ? {} : { body }) });
      expect(status, `${method} ${path}`).to.equal(403);
    }
    await member.close();
  });
});
