import { expect } from 'chai';
import {
  createTable,
  putItems,
  type CustomerAccount,
} from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { seedShop } from '../e2e/support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { newAccount, newClient, newTenant, registerSchema, type TestTenant } from '../e2e/support/tenant.ts';
import { CLIENTS, mcpToken, textOf, type TestClient } from './support/mcp.ts';

interface Planned {
  readonly estimatedReadUnits: { readonly low: number; readonly high: number };
}

interface Described {
  readonly columns: readonly { name: string; type: string; filled?: number }[];
  readonly indexes: readonly {
    sqlName: string;
    name: string;
    partitionKeys: readonly { name: string }[];
    sortKeys: readonly { name: string }[];
    covers: readonly string[];
  }[];
  readonly exampleSql: readonly string[];
}

/** A table with an index by tournament and region, then round and bracket. */
async function seedMatches(account: CustomerAccount): Promise<void> {
  await createTable(account, {
    TableName: 'matches',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: ['id', 'tournament', 'region', 'round', 'bracket'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by_place',
        KeySchema: [
          { AttributeName: 'tournament', KeyType: 'HASH' },
          { AttributeName: 'region', KeyType: 'HASH' },
          { AttributeName: 'round', KeyType: 'RANGE' },
          { AttributeName: 'bracket', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  });
  await putItems(account, 'matches', [
    {
      id: { S: 'm1' },
      tournament: { S: 'cup' },
      region: { S: 'eu' },
      round: { S: 'r1' },
      bracket: { S: 'b1' },
    },
    { id: { S: 'm2' }, tournament: { S: 'cup' }, round: { S: 'r1' } },
  ]);
}

describe('the tools', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;
  let token: string;
  let url: URL;

  before(async () => {
    stack = await sharedStack();
    url = new URL(`${stack.mcpUrl}/mcp`);
    tenant = await newTenant(stack);
    account = newAccount(stack);
    await seedShop(account);
    await seedMatches(account);
    await registerSchema(stack, tenant, account, {
      schemaName: 'shop',
      tableAllowlist: ['customers', 'orders', 'matches'],
    });
    token = await mcpToken(stack, tenant.credentials);
  });
  after(() => account.close());

  for (const [kind, connect] of Object.entries(CLIENTS)) {
    describe(`with ${kind}`, () => {
      let client: TestClient;
      before(async () => {
        client = await connect(url, token);
      });
      after(() => client.close());

      it('speaks the newest protocol that the client speaks', () => {
        const modern = kind.includes('auto') || kind.includes('pinned');
        expect(client.version).to.equal(modern ? '2026-07-28' : '2025-11-25');
      });

      it('lists tools and prompts', async () => {
        expect(await client.tools()).to.have.members(['list_tables', 'describe_table', 'run_sql']);
        expect(await client.prompts()).to.have.members(['explore_schema', 'write_query', 'explain_query']);
      });

      it('reads the SQL reference', async () => {
        expect(await client.read('penstock://sql-reference')).to.match(/^# SQL reference/);
      });

      it('goes from the tables to a row', async () => {
        const tables = await client.call('list_tables');
        expect(tables.structuredContent).to.have.nested.property('tables[0].sqlName', 'shop.customers');
        const described = await client.call('describe_table', { schemaName: 'SHOP', tableName: 'customers' });
        const { columns, indexes, exampleSql } = described.structuredContent as Described;
        expect(columns[0]).to.include({ name: 'id', type: 'VARCHAR', filled: 1 });
        expect(columns.find(({ name }) => name === 'vip')).to.include({ type: 'BOOLEAN', filled: 0.33 });
        expect(indexes).to.have.nested.property('[0].covers').that.deep.equals(['*']);
        expect(indexes).to.have.nested.property('[0].sqlName', 'shop.customers.by_city');
        const entries = await client.call('run_sql', { sql: `SELECT id FROM ${indexes[0]?.sqlName}` });
        expect(entries.structuredContent).to.have.property('rows').with.length(2);
        for (const sql of exampleSql) {
          const planned = await client.call('run_sql', { sql, mode: 'plan' });
          expect(planned.isError, textOf(planned)).to.not.equal(true);
          expect(planned.structuredContent).to.have.property('plan').that.is.a('string');
          const { low, high } = (planned.structuredContent as Planned).estimatedReadUnits;
          expect(low).to.be.within(0.5, high);
          expect(textOf(planned)).to.match(/\nRead units in all: [\d.]+/);
        }
        const rows = await client.call('run_sql', { sql: "SELECT name FROM shop.customers WHERE id = 'c1'" });
        expect(rows.structuredContent).to.deep.include({ columns: ['name'], rows: [['Ada m']] });
        expect(rows.structuredContent).to.include({ readUnits: 0.5 });
      });

      it('tells an agent what to mend', async () => {
        const answer = await client.call('run_sql', { sql: 'SELECT nme FROM shop.customers' });
        expect(answer.isError).to.equal(true);
        expect(textOf(answer))
          .to.match(/COLUMN_NOT_FOUND/)
          .and.match(/line 1, column 8/)
          .and.match(/name/);
        const table = await client.call('describe_table', { schemaName: 'shop', tableName: 'custmers' });
        expect(table.isError).to.equal(true);
        expect(textOf(table))
          .to.match(/Table not found: shop\.custmers/)
          .and.match(/customers/);
      });
    });
  }

  describe('in detail', () => {
    let client: TestClient;
    before(async () => {
      client = await CLIENTS['client v2, auto']!(url, token);
    });
    after(() => client.close());

    it('keeps every digit of a number in the text', async () => {
      const answer = await client.call('run_sql', {
        sql: "SELECT total FROM shop.orders WHERE customer_id = 'c2'",
      });
      expect(textOf(answer)).to.contain('12345678901234567890.5');
      const { rows } = answer.structuredContent as { readonly rows: readonly unknown[] };
      expect(JSON.stringify(rows)).to.contain('"12345678901234567890.5"');
    });

    it('shows columns by a part of their names', async () => {
      const found = await client.call('describe_table', {
        ...{ schemaName: 'shop', tableName: 'customers', search: 'ID' },
      });
      const { columns } = found.structuredContent as Described;
      expect(columns.map(({ name }) => name)).to.include('id');
      for (const { name } of columns) expect(name.toLowerCase()).to.include('id');
    });

    it('show every key attribute of an index, and read by them', async () => {
      const described = await client.call('describe_table', { schemaName: 'shop', tableName: 'matches' });
      const { indexes, exampleSql } = described.structuredContent as Described;
      const [index, ...others] = indexes;
      expect(others).to.deep.equal([]);
      expect(index?.name).to.equal('by_place');
      expect(index?.partitionKeys.map(({ name }) => name)).to.deep.equal(['tournament', 'region']);
      expect(index?.sortKeys.map(({ name }) => name)).to.deep.equal(['round', 'bracket']);
      expect(exampleSql[1]).to.match(/WHERE tournament = '.*' AND region = '.*' AND round >= '.*' LIMIT/);
      // The second match is not in the index.
      for (const [more, rows] of [
        ['', [['m1'], ['m2']]],
        [" AND region = 'eu' AND bracket = 'b1'", [['m1']]],
      ] as const) {
        const sql = `SELECT id FROM shop.matches WHERE tournament = 'cup' AND round = 'r1'${more} ORDER BY id`;
        const answer = await client.call('run_sql', { sql });
        expect(answer.structuredContent, textOf(answer)).to.deep.include({ rows });
      }
    });

    it('reaches into documents by the path that describe_table shows', async () => {
      const described = await client.call('describe_table', { schemaName: 'shop', tableName: 'customers' });
      const { columns } = described.structuredContent as Described;
      expect(columns.find(({ name }) => name === 'address.zip')).to.include({
        type: 'VARCHAR',
        filled: 0.33,
      });
      const answer = await client.call('run_sql', {
        sql: "SELECT address.zip FROM shop.customers WHERE id = 'c3'",
      });
      expect(answer.structuredContent, textOf(answer)).to.deep.include({ rows: [['1000']] });
    });

    it('goes on where a page ended, and refuses pages that are too large', async () => {
      const sql = 'SELECT customer_id, no FROM shop.orders ORDER BY customer_id, no';
      const first = await client.call('run_sql', { sql, maxRows: 3 });
      expect(first.structuredContent).to.include({ resumeIdx: 3 });
      const { warnings = [] } = first.structuredContent as { warnings?: string[] };
      expect(warnings.join()).to.match(/POST http\S+\/v1\/query .*Accept: text\/csv/);
      expect(textOf(first)).to.contain('/v1/query');
      const second = await client.call('run_sql', { sql, maxRows: 3, resumeIdx: 3 });
      expect(second.structuredContent).to.deep.include({ rows: [['c9', 1]] });
      expect(second.structuredContent).to.not.have.property('resumeIdx');
      expect(textOf(second)).to.not.contain('/v1/query');
      const refused = await client.call('run_sql', { sql, maxRows: 1_001 });
      expect(refused.isError).to.equal(true);
      expect(textOf(refused)).to.contain('maxRows');
    });

    it('stops at the read units that the caller allows', async () => {
      const answer = await client.call('run_sql', { sql: 'SELECT * FROM shop.orders', maxReadUnits: 0 });
      expect(answer.isError).to.equal(true);
      expect(textOf(answer)).to.contain('READ_UNIT_LIMIT');
    });

    it('lists one schema where it is asked to, and knows no other tenant', async () => {
      const one = await client.call('list_tables', { schemaName: 'shop' });
      expect(one.structuredContent).to.have.property('tables').with.length(3);
      const other = await newTenant(stack);
      const foreign = await CLIENTS['client v2, auto']!(url, await mcpToken(stack, other.credentials));
      const none = await foreign.call('list_tables');
      expect(none.structuredContent).to.have.property('tables').that.deep.equals([]);
      for (const [tool, given] of [
        ['list_tables', { schemaName: 'shop' }],
        ['describe_table', { schemaName: 'shop', tableName: 'customers' }],
        ['run_sql', { sql: 'SELECT * FROM shop.customers' }],
      ] as const) {
        const answer = await foreign.call(tool, given);
        expect(answer.isError).to.equal(true);
        expect(textOf(answer)).to.contain('Schema not found: shop');
      }
      await foreign.close();
    });

    it('lists only the tools that the token is good for', async () => {
      const credentials = await newClient(stack, tenant.tenantId, 'query');
      const queries = await CLIENTS['client v2, auto']!(url, await mcpToken(stack, credentials));
      expect(await queries.tools()).to.deep.equal(['run_sql']);
      const reads = await CLIENTS['sdk v1']!(url, await mcpToken(stack, tenant.credentials, 'schemas:read'));
      expect(await reads.tools()).to.have.members(['list_tables', 'describe_table']);
      await Promise.all([queries.close(), reads.close()]);
    });
  });
});
