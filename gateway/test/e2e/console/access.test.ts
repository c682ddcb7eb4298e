import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { PATHS } from '../../../src/console/api/paths.ts';
import { CHROMIUM_TIMEOUT_MS, launchChromium } from '../sign-in/chromium/launch.ts';
import { seedShop } from '../support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { newAccount, newTenant, registerSchema, type TestTenant } from '../support/tenant.ts';
import { newConsoleUser, signedInAs, type ConsolePerson } from './support/people.ts';

describe('Access in the console', function () {
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

  it('sets a budget that the Usage page shows, and takes it away', async () => {
    const { page } = admin;
    await admin.show('access/budgets', 'Access');
    await page.getByRole('button', { name: 'Set a budget', exact: true }).click();
    await page.getByLabel('Read units a day').fill('2,000');
    await admin.press('Save');
    await page.getByText(/of 2,000 read units/).waitFor();
    await admin.show('usage', 'Usage');
    await page.getByText(/of 2,000 read units/).waitFor();
    await admin.show('access/budgets', 'Access');
    await admin.press('Remove');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Set a budget', exact: true }).waitFor();
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
