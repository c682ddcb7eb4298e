import { expect } from 'chai';
import type { Catalog } from '../../../src/postgres/catalog/catalog.ts';
import { createCatalog } from '../../../src/postgres/catalog/create-catalog.ts';
import { PgError, type PgErrorFields } from '../../../src/postgres/errors/pg-error.ts';
import { knownTable, SAMPLE_TABLES } from './support/sample-tables.ts';
import { testSession, type SessionOptions } from './support/test-session.ts';

describe('statements over system catalogs', function () {
  this.timeout(60_000);
  let catalog: Catalog;

  before(() => {
    catalog = createCatalog();
  });
  after(() => catalog.close());

  const rows = async (
    sql: string,
    options: SessionOptions = {},
    parameters: readonly (string | null)[] = [],
  ) =>
    (
      await catalog.run(
        sql,
        parameters,
        parameters.map(() => 0),
        testSession(options),
      )
    ).rows;

  const failure = async (sql: string, options: SessionOptions = {}): Promise<PgErrorFields> => {
    try {
      await catalog.run(sql, [], [], testSession(options));
    } catch (error) {
      if (error instanceof PgError) return error.fields;
      throw error;
    }
    throw new Error(`no error: ${sql}`);
  };

  describe('what a statement reads', () => {
    for (const [sql, expected] of [
      ['SELECT * FROM pg_class', 'catalog'],
      ['select * from information_schema.tables', 'catalog'],
      ['WITH pg_x AS (SELECT 1) SELECT * FROM pg_x, pg_catalog.pg_type', 'catalog'],
      ['SELECT * FROM shop.orders', 'user'],
      ['SELECT * FROM shop.pg_class', 'user'],
      ['SELECT * FROM orders WHERE EXISTS (SELECT 1 FROM pg_class)', 'mixed'],
      ['SELECT 1', 'constant'],
      ["SELECT set_config('a', 'b', false)", 'constant'],
      ['SELECT extract(epoch FROM now())', 'constant'],
      ['SELECT * FROM generate_series(1, 3)', 'constant'],
      ['SELEC 1', 'user'],
      ['SELECT tags[0] FROM shop.orders', 'user'],
    ] as const) {
      it(`${expected}: ${sql}`, async () =>
        expect(await catalog.classify(sql, testSession())).to.equal(expected));
    }

    it('waits for its turn in the rate limit only where a statement has to be parsed', async () => {
      const paced: string[] = [];
      for (const sql of ['SELECT * FROM a', 'SELECT DISTINCT b FROM a', 'SELECT DISTINCT b FROM a'])
        await catalog.classify(sql, testSession(), async () => void paced.push(sql));
      expect(paced).to.deep.equal(['SELECT DISTINCT b FROM a']);
    });
  });

  it("shows a tenant's tables, columns with wide types, keys and indexes", async () => {
    expect(
      await rows(
        `SELECT attname, format_type(atttypid, atttypmod), attnotnull FROM pg_attribute
         WHERE attrelid = 'shop.orders'::regclass AND attnum > 0 ORDER BY attnum`,
      ),
    ).to.deep.equal([
      ['customer_id', 'text', 't'],
      ['number', 'numeric', 't'],
      ['address', 'jsonb', 'f'],
      ['labels', 'jsonb', 'f'],
      ['odd', 'text', 'f'],
      ['paid', 'boolean', 'f'],
      ['placed', 'text', 'f'],
      ['raw', 'bytea', 'f'],
      ['status', 'text', 'f'],
      ['tags', 'jsonb', 'f'],
      ['total', 'numeric', 'f'],
    ]);
    expect(
      await rows(`SELECT indexdef FROM pg_indexes WHERE schemaname IN ('shop', 'lab') ORDER BY 1`),
    ).to.deep.equal([
      ['CREATE INDEX "by-status" ON shop.orders USING btree (status, placed)'],
      ['CREATE UNIQUE INDEX "Orders-2.old_pkey" ON lab."Orders-2.old" USING btree ("Id")'],
      ['CREATE UNIQUE INDEX customers_pkey ON shop.customers USING btree (customer_id)'],
      ['CREATE UNIQUE INDEX orders_pkey ON shop.orders USING btree (customer_id, number)'],
    ]);
    expect(await rows(`SELECT col_description('shop.orders'::regclass, 5)`)).to.deep.equal([
      ['DynamoDB types in 50 sampled items: S in 3, N in 4. Values of several types are shown as text.'],
    ]);
  });

  it('finds tables without their schema by the search path alone', async () => {
    const sql = `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace > 16383 AND pg_table_is_visible(oid) ORDER BY 1`;
    expect(await rows(sql)).to.deep.equal([]);
    expect(await rows(sql, { searchPath: ['shop'] })).to.deep.equal([['customers'], ['orders']]);
    expect(await rows(`SELECT 'orders'::regclass`, { searchPath: ['shop'] })).to.deep.equal([['orders']]);
    expect(await rows(`SELECT 'shop.orders'::regclass`)).to.deep.equal([['shop.orders']]);
  });

  it('gives the same OIDs for the same names, whatever else there is', async () => {
    const sql = `SELECT oid FROM pg_class WHERE relname = 'orders'`;
    const more = {
      version: '2',
      schemas: ['shop', 'lab', 'another'],
      tables: [
        ...SAMPLE_TABLES.tables,
        knownTable('another', 'a', { partitionKey: { name: 'id', type: 'S' } }),
      ],
    };
    expect(await rows(sql, { tenantId: 'tenant-b', tables: more })).to.deep.equal(await rows(sql));
  });

  it('sees new tables with their version, and never those of another tenant', async () => {
    const sql = `SELECT relname FROM pg_class WHERE relkind = 'r' AND oid > 16383 ORDER BY 1`;
    const one = (version: string, name: string) => ({
      version,
      schemas: ['own'],
      tables: [knownTable('own', name, { partitionKey: { name: 'id', type: 'S' } })],
    });
    expect(await rows(sql, { tenantId: 'tenant-c', tables: one('1', 'first') })).to.deep.equal([['first']]);
    expect(await rows(sql, { tenantId: 'tenant-c', tables: one('2', 'second') })).to.deep.equal([['second']]);
    expect(await rows(sql)).to.deep.equal([['Orders-2.old'], ['customers'], ['orders']]);
  });

  it('names types of parameters and columns without running', async () => {
    const { columns, parameterOids } = await catalog.describe(
      `SELECT c.oid, relname, relkind, reltuples, relacl, c.oid::regclass, relhasindex, $2 AS given
       FROM pg_class c WHERE relname = $1 AND relnatts > $3`,
      [0, 0, 0],
      testSession(),
    );
    expect(columns.map(({ name, typeOid }) => [name, typeOid])).to.deep.equal([
      ['oid', 26],
      ['relname', 19],
      ['relkind', 18],
      ['reltuples', 700],
      ['relacl', 1034],
      ['oid', 2205],
      ['relhasindex', 16],
      ['given', 25],
    ]);
    expect(parameterOids).to.deep.equal([19, 25, 21]);
  });

  it('takes parameters as what they are, and never as SQL', async () => {
    const sql = 'SELECT $1::text, relname FROM pg_class WHERE relname = $2';
    expect(await rows(sql, {}, ["it's '; --", 'pg_type'])).to.deep.equal([["it's '; --", 'pg_type']]);
    expect(await rows(sql, {}, [null, 'pg_type'])).to.deep.equal([[null, 'pg_type']]);
  });

  it('sets what set_config is given, when it gives a row', async () => {
    const session = testSession();
    const { columns, rows: given } = await catalog.run(
      `SELECT set_config('bytea_output', 'hex', false) FROM pg_settings WHERE name = 'bytea_output'`,
      [],
      [],
      session,
    );
    expect(columns[0]?.name).to.equal('set_config');
    expect(given).to.deep.equal([['hex']]);
    expect(session.settings.get('bytea_output')).to.equal('hex');
    await catalog.run(`SELECT set_config('x', 'y', false) FROM pg_settings WHERE false`, [], [], session);
    expect(session.settings.has('x')).to.equal(false);
  });

  describe('errors have their code and place', () => {
    const cases: readonly (readonly [string, Partial<PgErrorFields>])[] = [
      ['SELECT nope FROM pg_class', { code: '42703', message: 'column "nope" does not exist', position: 8 }],
      ["SELECT 'ü', c.nope FROM pg_class c", { code: '42703', message: 'column c.nope does not exist', position: 13 }],
      ['SELECT * FROM pg_catalog.nope', { code: '42P01', message: 'relation "pg_catalog.nope" does not exist', position: 15 }],
      ['SELECT nope(1, relname) FROM pg_class', { code: '42883', message: 'function nope(integer, name) does not exist', position: 8 }],
      ["SELECT 'nope'::regclass", { code: '42P01', message: 'relation "nope" does not exist', position: 8 }],
      ['SELECT 1 + true FROM pg_class', { code: '42883', message: 'operator does not exist: integer + boolean', position: 10 }],
      ["SELECT 'x'::int FROM pg_class", { code: '22P02', message: 'invalid input syntax for type integer: "x"', position: 8 }],
      ['SELECT oid FROM pg_class, pg_type', { code: '42702', message: 'column reference "oid" is ambiguous', position: 8 }],
      ['SELECT 1/0 FROM pg_am', { code: '22012', message: 'division by zero' }],
      ['SELECT relname, count(*) FROM pg_class', { code: '42803' }],
      ['SELECT (SELECT oid FROM pg_class)', { code: '21000' }],
      ['SELECT * FROM pg_class FOR UPDATE', { code: '25006' }],
      ['SELECT * FROM shop.orders, pg_class', { code: '0A000' }],
      ['SELECT pg_read_file(relname) FROM pg_class', { code: '0A000' }],
    ]; // prettier-ignore
    for (const [sql, expected] of cases) {
      it(sql, async () => expect(await failure(sql)).to.include(expected));
    }
  });

  it('reaches none of the functions, tables and settings that DuckDB has and PostgreSQL has not', async () => {
    for (const sql of [
      "SELECT * FROM read_csv('/etc/passwd')",
      "SELECT * FROM '/etc/passwd'",
      "SELECT getenv('HOME')",
      "SELECT glob('/*')",
      'SELECT * FROM duckdb_tables()',
      'SELECT * FROM pg_catalog.duckdb_settings',
      'SELECT * FROM sys.pg_class',
      'SELECT * FROM t1.pg_class',
      "SELECT current_setting('duckdb_api')",
      "SELECT getvariable('x')",
      'PRAGMA version',
      "COPY pg_class TO '/tmp/x'",
      "ATTACH 'x'",
      'SET memory_limit = 1',
      'SELECT * FROM pragma_version()',
      "SELECT error('x')",
      "SELECT pg_catalog.query('SELECT 1')",
    ]) {
      const { code } = await failure(sql);
      expect(code, sql).to.be.oneOf(['42601', '42883', '42P01', '0A000', '42704']);
    }
  });
});
