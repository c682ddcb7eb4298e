import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { CHROMIUM_TIMEOUT_MS, launchChromium } from '../sign-in/chromium/launch.ts';
import { seedShop } from '../support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { newAccount, newTenant, registerSchema, type TestTenant } from '../support/tenant.ts';
import { atConsole, newConsoleUser, signedInAs, type ConsolePerson } from './support/people.ts';

const SHELL_TIMEOUT_MS = 30_000;

describe('Letting others into the console', function () {
  this.timeout(CHROMIUM_TIMEOUT_MS + STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let browser: Browser;
  let tenant: TestTenant;
  let account: CustomerAccount;
  let admin: ConsolePerson;

  before(async () => {
    browser = await launchChromium();
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
    await browser?.close();
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
});
