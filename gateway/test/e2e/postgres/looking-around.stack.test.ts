/** What tools send when they start and when they sync costs nothing, by the log of the AWS endpoint; a session can bound the rest. */
import { expect } from 'chai';
import pg from 'pg';
import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { differenceOf } from '../../postgres/catalog/support/differences.ts';
import { statementFiles } from '../../postgres/catalog/support/statements.ts';
import { clearRequests, requestsOf } from '../support/request-log.ts';
import { newShop, seedShop, seedWide } from '../support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import type { TestTenant } from '../support/tenant.ts';
import { connected, ended } from './connect.ts';

/** Power BI is Npgsql, Grafana a driver of Go's, Metabase and DBeaver pgjdbc. */
const TOOLS = ['metabase', 'grafana', 'dbeaver', 'tableau', 'npgsql', 'superset'] as const;

/** What they ask of a table itself only to see what it looks like, or that they may. */
const SHAPES: readonly string[] = [
  'SELECT TRUE AS "_" FROM "shop"."orders" WHERE 1 <> 1 LIMIT 0',
  'SELECT * FROM "shop"."orders" LIMIT 0',
  'SELECT * FROM "shop"."orders" WHERE 1 = 0',
  'SELECT * FROM (SELECT * FROM "shop"."orders") "T" WHERE FALSE',
  'SELECT * FROM (SELECT customer_id, total FROM shop.orders) AS "source" LIMIT 0',
  'SELECT "total" FROM "shop"."orders" "Custom SQL Query" WHERE (1 = 0) LIMIT 1',
];

/** Names of the sample's objects that this tenant has not: its answers are errors of PostgreSQL's too. */
const NOT_HERE = /^(?:42P01|3F000|42704)$/;

const UNITS_MAX = 5;

describe('looking around', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;

  before(async () => {
    stack = await sharedStack();
    ({ tenant, account } = await newShop(stack, async (own) => {
      await seedShop(own);
      await seedWide(own, 'long', 60, 200_000);
    }));
    // The registry samples a table when it is named for the first time.
    for (const table of ['customers', 'orders', 'long'])
      await tenant.query(`SELECT id FROM shop.${table} LIMIT 1`);
  });
  after(() => account.close());

  for (const tool of TOOLS) {
    it(`as ${tool} does reads no item`, async () => {
      const { statements } = statementFiles().find(({ name }) => name === tool) ?? { statements: [] };
      const client = await connected(stack, tenant.credentials, { application_name: tool });
      await clearRequests(stack, account);
      try {
        const { rows } = await client.query<{ name: string; oid: string }>(
          "SELECT oid::regclass AS name, oid FROM pg_class WHERE relkind IN ('r', 'i') AND relnamespace > 16383",
        );
        const oids = new Map(rows.map(({ name, oid }) => [name, oid]));
        const here = (text: string): string =>
          text.replace(/\{oid ([^}]*)\}/g, (_, name: string) => oids.get(name) ?? '0');
        let answered = 0;
        for (const statement of statements) {
          const { sql, parameters = [], searchPath } = statement;
          await client.query(`SET search_path = ${searchPath?.join(', ') ?? 'DEFAULT'}`);
          const values = parameters.map((value) => (value === null ? null : here(value)));
          try {
            await client.query({ text: here(sql), values });
            answered++;
          } catch (error) {
            const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
            // Those that are refused are declared beside PostgreSQL's answers.
            const isDeclared = code === '0A000' && differenceOf(statement) !== null;
            if (!NOT_HERE.test(code) && !isDeclared) throw error;
          }
        }
        expect(answered, `of ${statements.length}`).to.be.greaterThan(statements.length / 2);
        for (const text of SHAPES) {
          expect((await client.query(text)).rows, text).to.deep.equal([]);
          expect(
            (await client.query({ text, values: [], name: `${SHAPES.indexOf(text)}` })).rows,
          ).to.deep.equal([]);
        }
        expect(await requestsOf(stack, account)).to.deep.equal([]);
      } finally {
        await ended(client);
      }
    });
  }

  it('by taking the first rows reads no more than the session lets each statement read', async () => {
    const options = `-c penstock.max_read_units=${UNITS_MAX}`;
    const client = await connected(stack, tenant.credentials, { options });
    try {
      await clearRequests(stack, account);
      const error = await client.query('SELECT * FROM shop.long LIMIT 10000').then(
        () => null,
        (caught: unknown) => caught,
      );
      expect(error).to.be.instanceOf(pg.DatabaseError).and.to.have.property('code', '53400');
      // The table has twelve pages. What is sure to cost more is refused before anything is read.
      expect((await requestsOf(stack, account)).length).to.be.lessThan(4);
      expect((await client.query('SELECT id FROM shop.customers')).rowCount).to.equal(3);
    } finally {
      await ended(client);
    }
  });
});
