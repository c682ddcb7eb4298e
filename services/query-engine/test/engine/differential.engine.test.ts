/**
 * Generated SELECTs on the engine and on a plain DuckDB that holds the same data: same rows.
 *
 * Takes long: two hundred and forty statements, each by pushdown, by scans and by DuckDB, are thirty CPU seconds.
 */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { expect } from 'chai';
import { SPENT_MAX } from '../../src/dynamodb/bounded-regret/limits.ts';
import { budgetOf, SEED, SEED_SHOWN } from '../../../common/test/support/random-budget.ts';
import type { LoggedRequest } from '../dynamodb/aws.ts';
import { mixedGenerator } from './mixed-generator.ts';
import { loadMixedReference } from './mixed-reference.ts';
import { nestedGenerator } from './nested-generator.ts';
import { things } from './odd-tables.ts';
import { queryGenerator, type GeneratedQuery } from './query-generator.ts';
import { regretAllowed } from './regret/promise.ts';
import { customers, orders } from './shop.ts';
import type { EngineTable } from './engine-table.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

/** Queries of each kind, three thousand in the long lane and two hundred and forty otherwise: DIFFERENTIAL_QUERIES=100000 for more. */
const QUERIES = budgetOf({ short: 100, long: 1300, variable: 'DIFFERENTIAL_QUERIES' });
/** Those of mixed types take the longest. */
const MIXED_QUERIES = budgetOf({ short: 40, long: 400, variable: 'DIFFERENTIAL_QUERIES' });
/** So long a query may take on a busy machine at most, on average, and the first of a host: milliseconds. */
const QUERY_MS_MAX = 1000;
const FIRST_MS_MAX = 60_000;
/** Makes a scan of the orders cost 45 units. */
const PADDING_BYTES = 6000;
/** Makes a scan of the customers cost 2.5 units, as much as their five keys. */
const CUSTOMER_BYTES = 3800;

/** Columns of the reference, with the types that a designer would have given them. */
const REFERENCE = {
  customers: ['id VARCHAR', 'name VARCHAR', 'city VARCHAR', 'vip BOOLEAN'],
  orders: [
    'customer VARCHAR',
    'number BIGINT',
    'total DECIMAL(18,2)',
    'status VARCHAR',
    'quantity BIGINT',
    'note VARCHAR',
    'placed VARCHAR',
  ],
} as const;

async function reference(
  tables: Readonly<Record<keyof typeof REFERENCE, EngineTable>>,
): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`SET default_null_order = 'sqlite'`);
  // Wrong rows below LIMIT otherwise, as in the engine's own database.
  await connection.run(`SET disabled_optimizers = 'join_filter_pushdown'`);
  await connection.run('CREATE SCHEMA shop');
  for (const name of ['customers', 'orders'] as const) {
    await connection.run(`CREATE TABLE shop.${name} (${REFERENCE[name].join(', ')})`);
    for (const item of tables[name].items) {
      const values = REFERENCE[name].map((column) => {
        const value = item[column.split(' ')[0] ?? ''];
        if (value === undefined || value.NULL === true) return 'NULL';
        return value.N ?? (value.BOOL === undefined ? `'${value.S}'` : String(value.BOOL));
      });
      await connection.run(`INSERT INTO shop.${name} VALUES (${values.join(', ')})`);
    }
  }
  return connection;
}

/** A value as text in which equal values are alike: numbers to the digits that a double is sure of. */
function canonical(value: unknown): string {
  if (value === null) return 'NULL';
  const isNumber =
    typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(value));
  if (isNumber) return String(Number(Number(value).toPrecision(11)));
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function canonicalRows(rows: readonly unknown[], ordered: boolean): string[] {
  const lines = rows.map((row) => (row as unknown[]).map(canonical).join('|'));
  return ordered ? lines : lines.sort();
}

/** A row of the reference, each value JSON text. */
const jsonTexts = (row: readonly unknown[]): string =>
  asJson(row.map((text) => (typeof text === 'string' ? (JSON.parse(text) as unknown) : null)));

/** The tables that were asked for. */
const namesOf = (requests: readonly LoggedRequest[]): ReadonlySet<string> =>
  new Set(requests.map(({ tableName }) => tableName));

const asJson = (row: unknown): string => JSON.stringify(row);
const inOrder = (lines: readonly string[], ordered: boolean): readonly string[] =>
  ordered ? lines : lines.toSorted();

describe('generated queries', () => {
  let engine: TestEngine;
  let plain: DuckDBConnection;
  /** What a scan of each table costs. */
  const whole = new Map<string, number>();
  before(async () => {
    const tables = { customers: customers(CUSTOMER_BYTES), orders: orders(60, PADDING_BYTES) };
    const mixed = things(PADDING_BYTES);
    engine = await startTestEngine([tables.customers, tables.orders, mixed]);
    for (const name of Object.keys(REFERENCE))
      whole.set(name, (await engine.run(`SELECT * FROM shop.${name}`, { maxRows: 10_000 })).readUnits);
    plain = await reference(tables);
    await loadMixedReference(plain, 'things', mixed, ['kind', 'n', 'v', 'w', 'few']);
  });
  after(async () => {
    plain.closeSync();
    await engine.close();
  });

  /**
   * What reads of one table may cost on keys beside the one scan that would have served them all: what is spent is gone when a
   * later one is weighed, and a round of it may be under way when that is seen (see `choose-lookups.ts`).
   */
  const spentBefore = (sql: string, requests: readonly LoggedRequest[]): number =>
    [...whole].reduce((sum, [name, units]) => {
      const isReadAgain = sql.split(`shop.${name}`).length > 2;
      const isScanned = requests.some((one) => one.operation === 'Scan' && one.tableName === name);
      return isReadAgain && !isScanned ? sum + SPENT_MAX * units : sum;
    }, 0);

  const compare = async ({ sql, ordered }: GeneratedQuery, seed: string): Promise<void> => {
    const expected = canonicalRows((await plain.runAndReadAll(sql)).getRowsJson(), ordered);
    await engine.aws.clear();
    const pushed = await engine.run(sql, { maxRows: 10_000 });
    const requests = await engine.aws.requests();
    await engine.aws.clear();
    expect(canonicalRows(pushed.rows, ordered), `${seed}: ${sql}`).to.deep.equal(expected);
    const scanned = await engine.runScanning(sql, { maxRows: 10_000 });
    expect(canonicalRows(scanned.rows, ordered), `${seed}, scanning: ${sql}`).to.deep.equal(expected);
    // A dear scan waits for a side that turns out to be empty, and is spared; a few keys are read beside that side.
    const spared = namesOf(requests).difference(namesOf(await engine.aws.requests()));
    const certain = [...spared].reduce((sum, name) => sum + (whole.get(name) ?? 0), scanned.readUnits);
    const most = certain + regretAllowed(certain, requests) + spentBefore(sql, requests);
    expect(pushed.readUnits, `${seed}, units: ${sql}`).to.be.at.most(most);
  };

  for (const [what, generator] of [
    ['of one level', queryGenerator],
    ['of nested relations', nestedGenerator],
  ] as const) {
    it(`${what} give the rows that a plain DuckDB gives, with pushdown and without, for no more units (${QUERIES}, ${SEED_SHOWN})`, async function () {
      this.timeout(FIRST_MS_MAX + QUERIES * QUERY_MS_MAX);
      const next = generator(SEED);
      for (let i = 0; i < QUERIES; i++) await compare(next(), `${SEED_SHOWN}, query ${i}`);
      expect(engine.disagreements).to.deep.equal([]);
    });
  }

  it(`of mixed types give the rows that comparing by value gives, with pushdown and without, for no more units (${MIXED_QUERIES}, ${SEED_SHOWN})`, async function () {
    this.timeout(FIRST_MS_MAX + MIXED_QUERIES * QUERY_MS_MAX);
    const next = mixedGenerator(SEED);
    for (let i = 0; i < MIXED_QUERIES; i++) {
      const { sql, reference: asked, ordered } = next();
      const about = `${SEED_SHOWN}, query ${i}: ${sql}`;
      const wanted = inOrder((await plain.runAndReadAll(asked)).getRowsJson().map(jsonTexts), ordered);
      const pushed = await engine.run(sql, { maxRows: 10_000 });
      expect(inOrder(pushed.rows.map(asJson), ordered), about).to.deep.equal(wanted);
      const scanned = await engine.runScanning(sql, { maxRows: 10_000 });
      expect(inOrder(scanned.rows.map(asJson), ordered), `scanning, ${about}`).to.deep.equal(wanted);
      expect(pushed.readUnits, `units, ${about}`).to.be.at.most(scanned.readUnits);
    }
  });
});
