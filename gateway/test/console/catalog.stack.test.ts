import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import type { CatalogPage, CatalogTable } from '../../src/console/api/catalog.ts';
import type { ConnectGuide } from '../../src/console/api/connect.ts';
import { catalogTablePath, PATHS } from '../../src/console/api/paths.ts';
import { sqlReferenceOf } from '../../src/console/server/sql-reference.ts';
import { seedShop } from '../e2e/support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { newAccount, newTenant, registerSchema } from '../e2e/support/tenant.ts';
import { consoleUser, type ConsoleUser } from './support/console.ts';

interface Answered<Data> {
  readonly data: Data;
}

describe("the console's catalog", function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let member: ConsoleUser;
  let admin: ConsoleUser;
  let tenantId: string;

  before(async () => {
    stack = await sharedStack();
    const tenant = await newTenant(stack);
    ({ tenantId } = tenant);
    const account = newAccount(stack);
    await seedShop(account, 'x');
    await registerSchema(stack, tenant, account, { schemaName: 'shop' });
    account.close();
    member = await consoleUser(stack, tenantId, 'member');
    admin = await consoleUser(stack, tenantId, 'admin');
  });

  it('describes a table with its keys, indexes, columns and how often these have a value', async () => {
    const path = catalogTablePath('shop', 'customers');
    const table = (await member.call<Answered<CatalogTable>>('GET', path)).body.data;
    expect(table).to.include({ schemaName: 'shop', tableName: 'customers', sqlName: 'shop.customers' });
    const details = table.details!;
    expect(details.key.partitionKeys).to.have.length(1);
    const [first] = details.columns;
    expect(first?.name).to.equal(details.key.partitionKeys[0]?.name);
    expect(first).to.deep.include({ sqlType: 'VARCHAR', filled: 1, types: [{ type: 'S', items: 3 }] });
    expect(details).to.include({ sampledItems: 3 });
    expect(Date.parse(details.describedAt)).to.be.closeTo(Date.now(), 600_000);
    expect(Date.parse(details.sampledAt ?? '')).to.be.closeTo(Date.now(), 600_000);
  });

  it('lists what is known, and reads nothing of it for that', async () => {
    await member.call('GET', catalogTablePath('shop', 'customers'));
    const { tables } = (await member.call<Answered<CatalogPage>>('GET', PATHS.catalog)).body.data;
    expect(tables.map(({ sqlName }) => sqlName)).to.include('shop.customers');
    const stranger = await consoleUser(stack, (await newTenant(stack)).tenantId);
    const nothing = (await stranger.call<Answered<CatalogPage>>('GET', PATHS.catalog)).body.data;
    expect(nothing.tables).to.deep.equal([]);
    expect((await stranger.call('GET', catalogTablePath('shop', 'customers'))).status).to.equal(404);
  });

  it('proposes an external ID that is new each time and belongs to the tenant', async () => {
    const ask = async () => (await admin.call<Answered<ConnectGuide>>('GET', PATHS.connect)).body.data;
    const [one, two] = [await ask(), await ask()];
    expect(one.externalId).to.match(new RegExp(`^penstock-${tenantId}-[0-9a-f-]{36}$`));
    expect(two.externalId).to.not.equal(one.externalId);
    expect(one).to.include({ serviceAccountId: stack.serviceAccountId, templateUrl: null });
    expect(one.template).to.include('AWSTemplateFormatVersion').and.to.include('ExternalId');
  });
});

describe("the console's SQL reference", () => {
  const page = readFileSync(new URL('../../../services/query-engine/SQL.md', import.meta.url), 'utf8');
  const { functions, keywords } = sqlReferenceOf(page);

  it('has every function of SQL.md, with a line and an example', () => {
    const section = page.slice(page.indexOf('\n## Functions'), page.indexOf('\n### Functions of other'));
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    expect(functions).to.have.length(rows.length);
    expect(functions.length).to.be.above(150);
    for (const { name, gives, example, group } of functions) {
      expect(section).to.include(`\`${name}\``);
      expect([gives, example, group], name).to.not.include('');
    }
    expect(functions.find(({ name }) => name === 'ROUND')).to.deep.equal({
      name: 'ROUND',
      aliases: [],
      group: 'Numbers',
      arguments: '1 to 2',
      gives: 'Rounded to so many decimals (0 if not given), halves away from zero.',
      example: 'ROUND(2.567, 1) → 2.6',
    });
    expect(functions.find(({ name }) => name === 'POWER')?.aliases).to.deep.equal(['POW']);
    expect(functions.map(({ group }) => group)).to.include.members(['Aggregates', 'Windows']);
  });

  it('has the words that statements are made of', () => {
    expect(keywords).to.include.members(['SELECT', 'FROM', 'WHERE', 'GROUP', 'JOIN', 'QUALIFY', 'LATERAL']);
    expect(keywords).to.not.include('COUNT');
  });
});
