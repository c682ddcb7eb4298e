/** Queries as reports ask them, on the engine and on a plain DuckDB that holds the same data: same rows, same order. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { REPORTS } from './reports-sql.ts';
import { customers, orders } from './shop.ts';
import type { EngineTable, TestItem } from './engine-table.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

/** With the types that a designer would have given the columns; documents are JSON there. */
const COLUMNS = {
  customers: 'id VARCHAR, name VARCHAR, city VARCHAR, vip BOOLEAN, address JSON, tags JSON',
  orders:
    'customer VARCHAR, number BIGINT, total DECIMAL(18,2), status VARCHAR, quantity BIGINT, note VARCHAR, placed VARCHAR',
} as const;

type Value = TestItem[string];

function plainValue(value: Value | undefined): unknown {
  if (value === undefined || value.NULL === true) return null;
  if (value.N !== undefined) return Number(value.N);
  if (value.L !== undefined) return value.L.map(plainValue);
  if (value.M !== undefined) {
    return Object.fromEntries(Object.entries(value.M).map(([name, part]) => [name, plainValue(part)]));
  }
  return value.S ?? value.BOOL ?? value.SS;
}

function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return typeof value === 'object' && value !== null ? `'${JSON.stringify(value)}'` : String(value);
}

async function plainDatabase(
  tables: Readonly<Record<keyof typeof COLUMNS, EngineTable>>,
): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`SET default_null_order = 'sqlite'; SET TimeZone = 'UTC'; CREATE SCHEMA shop`);
  for (const name of ['customers', 'orders'] as const) {
    await connection.run(`CREATE TABLE shop.${name} (${COLUMNS[name]})`);
    const columns = COLUMNS[name].split(', ').map((column) => column.split(' ')[0] ?? '');
    const rows = tables[name].items.map(
      (item) => `(${columns.map((column) => literal(plainValue(item[column]))).join(', ')})`,
    );
    await connection.run(`INSERT INTO shop.${name} VALUES ${rows.join(', ')}`);
  }
  return connection;
}

/** As text in which equal values are alike: numbers to the digits that a double is sure of, instants in ISO's form. */
function canonical(value: unknown): string {
  if (value === null) return 'NULL';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text)) return String(Number(Number(text).toPrecision(11)));
  return text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/, '$1T$2');
}

const canonicalRows = (rows: readonly unknown[]): string[] =>
  rows.map((row) => (row as readonly unknown[]).map(canonical).join('|'));

describe('reports', () => {
  let engine: TestEngine;
  let plain: DuckDBConnection;
  before(async () => {
    const tables = { customers: customers(), orders: orders() };
    engine = await startTestEngine([tables.customers, tables.orders]);
    plain = await plainDatabase(tables);
  });
  after(async () => {
    plain.closeSync();
    await engine.close();
  });
  afterEach(() => expect(engine.disagreements).to.deep.equal([]));

  for (const [group, reports] of Object.entries(REPORTS)) {
    describe(group, () => {
      for (const { sql, plain: plainSql, parameters } of reports) {
        it(sql, async () => {
          const expected = await plain.runAndReadAll(plainSql ?? sql);
          expect(expected.currentRowCount).to.be.above(0);
          const { rows } = await engine.run(sql, parameters === undefined ? {} : { parameters });
          expect(canonicalRows(rows)).to.deep.equal(canonicalRows(expected.getRowsJson()));
        });
      }
    });
  }
});
