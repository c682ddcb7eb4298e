/** What tools send when they start and when they sync costs nothing, by the log of the AWS endpoint; a session can bound the rest. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { statementFiles } from '../../postgres/captured/statements.ts';
import { clearRequests, requestsOf } from '../support/request-log.ts';
import { newShop, seedShop, seedWide } from '../support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import type { TestTenant } from '../support/tenant.ts';
import { AS_TEXT, connected, ended } from './connect.ts';

/** What they ask of a table itself only to see what it looks like, or that they may. */
const SHAPES: readonly string[] = [
  'SELECT TRUE AS "_" FROM "shop"."orders" WHERE 1 <> 1 LIMIT 0',
  'SELECT * FROM "shop"."orders" LIMIT 0',
  'SELECT * FROM "shop"."orders" WHERE 1 = 0',
  'SELECT * FROM (SELECT * FROM "shop"."orders") "T" WHERE FALSE',
  'SELECT * FROM (SELECT customer_id, total FROM shop.orders) AS "source" LIMIT 0',
  'SELECT "total" FROM "shop"."orders" "Custom SQL Query" WHERE (1 = 0) LIMIT 1',
];

/** What tells one session from another. */
const OF_THE_SESSION =
  /pg_stat_activity|pg_backend_pid|pg_stat_|now\(\)|pg_postmaster|pg_locks|txid|clock_|random\(|pg_settings|SHOW ALL|pg_cursors/i;
/** Statements over tables are the engine's, which knows what they hold. */
const TABLES = /\bFROM\s+"?(?:shop|lab)"?\./i;

/** What a client sees of an answer. */
interface Outcome {
  /** The SQLSTATE of its error. */
  readonly code: string | null;
  readonly fields: readonly unknown[];
  readonly rows: readonly unknown[];
}

/** Rows that no statement puts in order come as they come. */
const inOrder = (outcome: Outcome, sql: string): Outcome =>
  /ORDER BY/i.test(sql)
    ? outcome
    : { ...outcome, rows: outcome.rows.map((row) => JSON.stringify(row)).sort() };

/** By the extended protocol, as drivers ask. */
async function outcomeOf(client: pg.Client, text: string, values: unknown[]): Promise<Outcome> {
  try {
    const config = { text, values, rowMode: 'array', queryMode: 'extended' } as pg.QueryArrayConfig;
    const { rows, fields } = await client.query(config);
    const shown = fields.map(({ name, dataTypeID, dataTypeModifier }) => [
      name,
      dataTypeID,
      dataTypeModifier,
    ]);
    return { code: null, fields: shown, rows };
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return { code: error.code ?? '', fields: [error.message, error.position], rows: [] };
  }
}

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

  /** The tenant's own server, without the endpoint between. */
  const directly = async (through: pg.Client): Promise<pg.Client> => {
    const { rows } = await through.query<{ name: string }>("SELECT current_setting('cluster_name') AS name");
    const host = join(tmpdir(), rows[0]!.name);
    const { clientId: user } = tenant.credentials;
    const direct = new pg.Client({ host, user, database: 'penstock', types: AS_TEXT });
    await direct.connect();
    return direct;
  };

  for (const { name, statements } of statementFiles()) {
    it(`as ${name} does reads no item, and is answered as PostgreSQL answers`, async () => {
      const through = await connected(stack, tenant.credentials);
      const direct = await directly(through);
      await clearRequests(stack, account);
      try {
        const { rows } = await through.query<{ name: string; oid: string }>(
          "SELECT oid::regclass AS name, oid FROM pg_class WHERE relkind IN ('r', 'i') AND relnamespace > 16383",
        );
        const oids = new Map(rows.map(({ name: object, oid }) => [object, oid]));
        const here = (text: string): string =>
          text.replace(/\{oid ([^}]*)\}/g, (_, object: string) => oids.get(object) ?? '0');
        let answered = 0;
        for (const { sql, parameters = [], searchPath } of statements) {
          const path = searchPath?.map((schema) => pg.escapeIdentifier(schema)).join(', ') ?? 'DEFAULT';
          const values = parameters.map((value) => (value === null ? null : here(value)));
          const [ours, theirs] = await Promise.all(
            [through, direct].map(async (client) => {
              await client.query(`SET search_path = ${path}`);
              return outcomeOf(client, here(sql), values);
            }),
          );
          if (TABLES.test(sql)) continue;
          if (theirs!.code === null) answered++;
          if (OF_THE_SESSION.test(sql)) expect(ours!.fields, sql).to.deep.equal(theirs!.fields);
          else expect(inOrder(ours!, sql), sql).to.deep.equal(inOrder(theirs!, sql));
        }
        expect(answered, `of ${statements.length}`).to.be.greaterThan(statements.length / 2);
        for (const text of SHAPES) {
          expect((await through.query(text)).rows, text).to.deep.equal([]);
          const named = await through.query({ text, values: [], name: `${SHAPES.indexOf(text)}` });
          expect(named.rows, text).to.deep.equal([]);
        }
        expect(await requestsOf(stack, account)).to.deep.equal([]);
      } finally {
        await Promise.all([ended(through), ended(direct)]);
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
