import { CreateRoleCommand, PutRolePolicyCommand, UpdateAssumeRolePolicyCommand } from '@aws-sdk/client-iam';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { CHROMIUM_TIMEOUT_MS } from '../sign-in/chromium/launch.ts';
import { sharedChromium } from '../sign-in/chromium/shared.ts';
import { seedShop } from '../support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { newAccount, newTenant } from '../support/tenant.ts';
import { newConsoleUser, signedInAs, type ConsolePerson } from './support/people.ts';

const ROLE = 'penstock-access';

/** A refresh that came too soon after the one before is repeated half a minute later. */
const TABLES_APPEAR_MS = 60_000;

describe('Connecting an account in the console', function () {
  this.timeout(CHROMIUM_TIMEOUT_MS + STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let browser: Browser;
  let account: CustomerAccount;
  let person: ConsolePerson;

  before(async () => {
    browser = await sharedChromium();
    stack = await sharedStack();
    const { tenantId } = await newTenant(stack);
    account = newAccount(stack);
    await seedShop(account);
    person = await signedInAs(browser, stack, await newConsoleUser(stack, tenantId, 'admin'));
  });
  after(async () => {
    account?.close();
    await person?.close();
  });

  /** The text of a block with a copy button. */
  const copied = (name: string): Promise<string> => person.page.getByLabel(name, { exact: true }).innerText();

  /** Makes the role by what the page shows, as a customer would, but under another external ID. */
  async function makeRole(externalId: string): Promise<void> {
    const { page } = person;
    await page.getByRole('tab', { name: 'Policies' }).click();
    const trust = JSON.parse(await copied('the trust policy')) as { Statement: [{ Condition: object }] };
    trust.Statement[0].Condition = { StringEquals: { 'sts:ExternalId': externalId } };
    await account.iam.send(
      new CreateRoleCommand({ RoleName: ROLE, AssumeRolePolicyDocument: JSON.stringify(trust) }),
    );
    await account.iam.send(
      new PutRolePolicyCommand({
        RoleName: ROLE,
        PolicyName: 'read-tables',
        PolicyDocument: await copied('the permissions'),
      }),
    );
  }

  it('leads from nothing to first rows, past a wrong external ID that the page says how to mend', async () => {
    const { page } = person;
    await person.show('tables', 'Tables');
    await page.getByText('No tables yet').waitFor();
    await page.getByRole('link', { name: 'Connect an account' }).click();
    await page.getByLabel('Schema name').fill('shop');
    await page.getByLabel('Region').fill('eu-west-1');
    await page.getByLabel('AWS account ID').fill(account.accountId.replace(/(\d{4})(\d{4})/, '$1-$2-'));
    await page.getByLabel('Table names').fill('customers\norders');
    await person.press('Next: the role');
    await page.getByRole('heading', { name: 'Make the role' }).waitFor();

    await makeRole('another-external-id');
    const roleArn = `arn:aws:iam::${account.accountId}:role/${ROLE}`;
    expect(await page.getByLabel('Role ARN').inputValue()).to.equal(roleArn);
    await person.press('Create the schema and check');
    await page.getByRole('heading', { name: 'The role needs mending' }).waitFor();
    expect(await page.getByLabel("The role's check").innerText()).to.include('asks for another external ID');

    await page.getByText('Commands that mend it').click();
    const commands = await copied('the commands that mend it');
    expect(commands).to.include(`update-assume-role-policy --role-name ${ROLE}`);
    const document = /<<'JSON'\n(.*)\nJSON\n/s.exec(commands)?.[1];
    await account.iam.send(new UpdateAssumeRolePolicyCommand({ RoleName: ROLE, PolicyDocument: document }));
    await person.press('Check again');
    await page.getByRole('heading', { name: 'The role works' }).waitFor();

    const tables = page.getByRole('region', { name: 'Tables' });
    await tables.getByText('3 items').waitFor({ timeout: TABLES_APPEAR_MS });
    await page.getByRole('link', { name: 'Write a first query' }).click();
    await page.getByRole('heading', { level: 1, name: 'Query' }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByText('Ada m').waitFor();
  });

  it('shows what the schema is, and disables, enables and deletes it, its name typed', async () => {
    const { page } = person;
    await person.show('connect/schemas/shop', 'shop');
    await person.press('Disable');
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('This schema is disabled.').first().waitFor();
    await person.press('Enable');
    await page.getByRole('button', { name: 'Disable', exact: true }).waitFor();
    await person.press('Delete');
    const confirm = page.getByRole('button', { name: 'Delete the schema' });
    expect(await confirm.isDisabled()).to.equal(true);
    await page.getByLabel('Type shop to confirm').fill('shop');
    await confirm.click();
    await page.getByRole('heading', { level: 1, name: 'Connect your first account' }).waitFor();
  });

  it('says what is wrong with each field, in the words of the API', async () => {
    const { page } = person;
    await person.show('connect/new', 'Connect');
    await page.getByLabel('Region').fill('Europe');
    await page.getByLabel('AWS account ID').fill('123');
    await page.getByLabel('Table names').fill('a/b');
    await person.press('Next: the role');
    for (const words of ['Must be a region such as eu-west-1', 'Must have 12 digits', '“a/b” is no table'])
      await page.getByText(words).waitFor();
    const focused = await page.evaluate<string>("document.activeElement?.labels?.[0]?.textContent ?? ''");
    expect(focused).to.equal('Schema name');
  });
});
