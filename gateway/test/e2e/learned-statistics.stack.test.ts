import { expect } from 'chai';
import {
  createTable,
  putItems,
  type CustomerAccount,
} from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { untilSome } from '../../../services/common/test/support/until.ts';
import { CLIENTS, mcpToken } from '../mcp/support/mcp.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from './support/stack.ts';
import { newAccount, newTenant, registerSchema, type TestTenant } from './support/tenant.ts';

const ITEMS = 600;
/** One of fifty items passes; of a comparison with `>` a third is guessed to. */
const SQL = 'SELECT kind, COUNT(*) FROM shop.events WHERE amount > 97 GROUP BY kind ORDER BY kind';

/** Reports are sent every two seconds, and engines ask for tables again after three. */
const LEARNED_WITHIN_MS = 20_000;

async function seedEvents(account: CustomerAccount): Promise<void> {
  await createTable(account, {
    TableName: 'events',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  });
  await putItems(
    account,
    'events',
    Array.from({ length: ITEMS }, (_, i) => ({
      id: { S: `e${i}` },
      kind: { S: `k${i % 3}` },
      amount: { N: String(i % 100) },
    })),
  );
}

/** Rows that the plan expects of its scan. */
async function expectedRows(tenant: TestTenant, sql: string): Promise<number> {
  const { body } = await tenant.query(sql, {}, 'plan');
  const rows = /estimate: ([\d,.]+) rows/.exec(body.data?.plan ?? '')?.[1];
  if (rows === undefined) throw new Error(`no rows in ${body.data?.plan ?? JSON.stringify(body)}`);
  return Number(rows.replaceAll(',', ''));
}

describe('what a statement learned', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  const accounts: CustomerAccount[] = [];

  const tenantWithEvents = async (): Promise<TestTenant> => {
    const one = await newTenant(stack);
    const account = newAccount(stack);
    accounts.push(account);
    await seedEvents(account);
    await registerSchema(stack, one, account, { schemaName: 'shop', tableAllowlist: ['events'] });
    return one;
  };

  before(async () => {
    stack = await sharedStack();
    tenant = await tenantWithEvents();
  });
  after(() => accounts.forEach((account) => account.close()));

  it('is what its next execution is planned by, whatever its literals, and nobody else’s', async () => {
    const other = await tenantWithEvents();
    const first = await tenant.query(SQL);
    expect(first.body.data?.data).to.deep.equal([['k0', 4], ['k1', 4], ['k2', 4]]); // oxfmt-ignore
    const guessed = await expectedRows(other, SQL);
    expect(guessed).to.be.within(ITEMS / 4, ITEMS / 2);
    const planned = await untilSome(
      async () => {
        const rows = await expectedRows(tenant, SQL.replace('97', '90'));
        return rows > ITEMS / 10 ? null : rows;
      },
      { timeoutMs: LEARNED_WITHIN_MS, what: 'it is planned by what was seen' },
    );
    expect(planned).to.be.within(8, 20);
    const second = await tenant.query(SQL);
    expect(second.body.data?.data).to.deep.equal(first.body.data?.data);
    expect(second.body.data?.readUnits).to.equal(first.body.data?.readUnits);
    expect(await expectedRows(other, SQL)).to.equal(guessed);
  });

  it('is shown with the table, without any value', async () => {
    const connect = Object.values(CLIENTS)[0];
    if (connect === undefined) throw new Error('no client');
    const client = await connect(new URL(`${stack.mcpUrl}/mcp`), await mcpToken(stack, tenant.credentials));
    const described = await client.call('describe_table', { schemaName: 'shop', tableName: 'events' });
    await client.close();
    const { learned, itemsPerKey } = described.structuredContent as {
      learned?: { filters: readonly { filter: string; passedPercent: number }[] };
      itemsPerKey?: { estimate: number };
    };
    expect(itemsPerKey?.estimate).to.be.within(1, 1.3);
    expect(learned?.filters[0]?.passedPercent).to.be.within(1.5, 3);
    expect(learned?.filters[0]?.filter).to.include('amount').and.to.include('?');
    expect(JSON.stringify(learned)).to.not.include('97');
  });
});
