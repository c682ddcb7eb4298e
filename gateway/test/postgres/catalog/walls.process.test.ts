/** No text of a statement becomes SQL of the catalogs' database, and nothing that a tenant sends changes what others get. */
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import type { Catalog } from '../../../src/postgres/catalog/catalog.ts';
import { createCatalog } from '../../../src/postgres/catalog/create-catalog.ts';
import { streamOneSelect } from '../../../src/postgres/catalog/execution/one-statement.ts';
import { createTenantEngines } from '../../../src/postgres/catalog/execution/tenant-engines.ts';
import { PgError } from '../../../src/postgres/errors/pg-error.ts';
import { SAMPLE_TABLES } from './support/sample-tables.ts';
import { testSession } from './support/test-session.ts';

/** Each means something to a replacement's text, to DuckDB's SQL or to both. */
const NASTY_TEXTS = [
  ...['$`', "$'", '$&', '$$', '$1', '$<a>'],
  ...["'", "''", '--', '/*', '*/', ';', '")', "')", '\\', '\n', 'E\n--'],
  "$`, (SELECT 1)) || '",
];
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Where a text may stand, and what comes of it. */
const PLACES: Readonly<Record<string, (text: string) => readonly [string, string]>> = {
  'a value': (text) => [`SELECT ${quoted(text)}`, text],
  'an operand': (text) => [`SELECT 'a' || ${quoted(text)}`, `a${text}`],
  "a function's argument": (text) => [`SELECT coalesce(NULL, ${quoted(text)})`, text],
  "an aggregate's argument": (text) => [`SELECT max(${quoted(text)}) FROM pg_am`, text],
  "an aggregate's order": (text) => [
    `SELECT string_agg(amname::text, '' ORDER BY amname || ${quoted(text)}) FROM pg_am WHERE amname IN ('btree', 'heap')`,
    'btreeheap',
  ],
  "a distinct aggregate's filter": (text) => [
    `SELECT count(DISTINCT amtype) FILTER (WHERE ${quoted(text)} <> 'x')::text FROM pg_am`,
    '2',
  ],
};

const NEGATIVE: readonly (readonly [string, string])[] = [
  ['- ((-5.5)::numeric)', '5.5'],
  ["- ('-7'::int4)", '7'],
  ["- (- ('-1.5'::numeric))", '-1.5'],
  ["1 - ('-2'::numeric)", '3'],
  ["- ('-1e3'::float8)", '1000'],
  ["@ ('-5'::numeric)", '5'],
];

describe('walls of the catalogs', function () {
  this.timeout(60_000);
  let catalog: Catalog;
  before(() => {
    catalog = createCatalog();
  });
  after(() => catalog.close());

  const cell = async (sql: string, tenantId = 'tenant-a'): Promise<string | null | undefined> =>
    (await catalog.run(sql, [], [], testSession({ tenantId }))).rows[0]?.[0];

  for (const [place, statementOf] of Object.entries(PLACES)) {
    it(`leave any text a text: as ${place}`, async () => {
      for (const text of NASTY_TEXTS) {
        const [sql, expected] = statementOf(text);
        expect(await cell(sql), sql).to.equal(expected);
      }
    });
  }

  it('leave a negative number a number, whatever stands before it', async () => {
    for (const [expression, expected] of NEGATIVE) {
      // Two minus signs would begin a comment, which the line feed would end.
      const sql = `SELECT (${expression})::text, E'\\n) AS a, (SELECT 1'`;
      expect(await cell(sql), sql).to.equal(expected);
    }
  });

  it('run one SELECT of what was written, or nothing', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run('CREATE TABLE t AS SELECT 1 AS a');
    for (const sql of ['SELECT a FROM t; DROP TABLE t', 'DROP TABLE t', 'SELECT 1; SELECT 2', '']) {
      const error = await streamOneSelect(connection, sql).then(
        () => null,
        (caught: unknown) => caught,
      );
      expect(error, sql).to.be.an('error');
    }
    expect(await (await streamOneSelect(connection, 'SELECT a FROM t')).getRows()).to.deep.equal([[1]]);
    connection.closeSync();
    instance.closeSync();
  });

  it('give each tenant a database of its own, also where no table is read', async () => {
    const engines = createTenantEngines();
    const [first, second] = [await engines.of('a'), await engines.of('b')];
    expect(first).to.not.equal(second);
    await first.load(SAMPLE_TABLES);
    expect(first.held()).to.equal(SAMPLE_TABLES.version);
    expect(second.held()).to.equal(null);
    for (const tenant of ['c', 'd', 'e', 'f', 'g']) await engines.of(tenant);
    expect((await engines.of('a')).held(), 'the longest unused one gave way').to.equal(null);
  });

  it('stand where a statement breaks the parser: it is refused, its tenant waits, nobody else notices', async () => {
    const harmless = 'SELECT amname FROM pg_am';
    const codes = new Set<string>();
    for (let i = 0; i < 38; i++) {
      const deep = `SELECT ${Array.from({ length: 20_000 + i }, () => '1').join('+')}`;
      const error = await catalog.classify(deep, testSession({ tenantId: `deep-${i % 2}` })).then(
        (kind) => new Error(kind),
        (caught: unknown) => caught,
      );
      codes.add(error instanceof PgError ? error.fields.code : String(error));
      expect(
        await catalog.classify(`${harmless} LIMIT ${i}`, testSession({ tenantId: 'innocent' })),
      ).to.equal('catalog');
    }
    expect([...codes].sort()).to.deep.equal(['53400', '54001']);
    expect(await cell(harmless, 'innocent')).to.be.a('string');
  });
});
