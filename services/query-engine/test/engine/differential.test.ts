/** Generated SELECTs on the engine and on a plain DuckDB that holds the same data: same rows. */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { expect } from 'chai';
import { queryGenerator } from './query-generator.ts';
import { customers, orders } from './shop.ts';
import { startTestEngine, type EngineTable, type TestEngine } from './test-engine.ts';

const QUERIES = 300;
const SEED = 20_240_607;
/** Makes a scan of the orders cost 45 units. */
const PADDING_BYTES = 6000;

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

describe('generated queries', () => {
  let engine: TestEngine;
  let plain: DuckDBConnection;
  before(async () => {
    const tables = { customers: customers(), orders: orders(60, PADDING_BYTES) };
    engine = await startTestEngine([tables.customers, tables.orders]);
    plain = await reference(tables);
  });
  after(async () => {
    plain.closeSync();
    await engine.close();
  });

  it(`give the rows that a plain DuckDB gives, with pushdown and without (${QUERIES} of them)`, async function () {
    this.timeout(120_000);
    const next = queryGenerator(SEED);
    for (let i = 0; i < QUERIES; i++) {
      const { sql, ordered } = next();
      const expected = canonicalRows((await plain.runAndReadAll(sql)).getRowsJson(), ordered);
      const pushed = await engine.run(sql, { maxRows: 10_000 });
      expect(canonicalRows(pushed.rows, ordered), sql).to.deep.equal(expected);
      const scanned = await engine.runScanning(sql, { maxRows: 10_000 });
      expect(canonicalRows(scanned.rows, ordered), `scanning: ${sql}`).to.deep.equal(expected);
      expect(pushed.readUnits, `units: ${sql}`).to.be.at.most(scanned.readUnits);
    }
    expect(engine.disagreements).to.deep.equal([]);
  });
});
