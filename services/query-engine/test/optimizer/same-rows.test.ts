import { expect } from 'chai';
import type { LogicalPlan, TableScan } from '../../src/logical/plan.ts';
import type { TableRead } from '../../src/dynamodb/table-read.ts';
import { isNeverTrue } from '../../src/logical/build-expression.ts';
import { walkDeep } from '../../src/logical/visit.ts';
import type { Database } from '../../src/execution/session/database.ts';
import type { TestCell } from '../execution/batches.ts';
import { runPlan, scanRead, testDatabase, type TestTable } from '../execution/tables.ts';
import { TABLES, bindSql, optimizeBound } from './fixture.ts';
import { STATEMENTS } from './statements.ts';

/** Values that are easily confused: numbers as text, truth values among numbers, missing attributes. */
const ROWS: Readonly<Record<string, readonly Readonly<Record<string, TestCell>>[]>> = {
  customers: [
    { id: 'c1', name: 'Ann', city: 'Bonn', vip: true, age: 30 },
    { id: 'c2', name: 'Bob', city: 'Bern', vip: false, age: 41 },
    { id: 'c3', name: 'Ann', city: 'Bonn', age: 30 },
    { id: 'c4', city: 'Rome', vip: true, age: 7 },
    { id: '5', name: '5', city: '05', vip: true, age: 5 },
    { id: '05', name: 'Eve', city: '7', vip: false },
  ],
  orders: [
    { customer_id: 'c1', order_no: 1, total: 10, status: 'open', address: { json: '{"city":"Bonn"}' } },
    { customer_id: 'c1', order_no: 2, total: 25, status: 'done' },
    { customer_id: 'c2', order_no: 3, total: 5, status: 'open' },
    { customer_id: 'c9', order_no: 4, total: '05', status: 7 },
    { customer_id: '5', order_no: 5, status: 'Ann' },
    { customer_id: '05', order_no: 7, total: 30, status: '05' },
  ],
  lines: [
    { order_no: 1, product_id: 'p1', quantity: 3 },
    { order_no: 1, product_id: 'p2', quantity: 1 },
    { order_no: 3, product_id: 'p1', quantity: 8 },
    { order_no: 7, product_id: 'p3', quantity: 30 },
    { order_no: 9, product_id: '05', quantity: 5 },
  ],
};

const tables: readonly TestTable[] = TABLES.map((catalog) => {
  const names = catalog.attributes.map(({ name }) => name);
  return {
    catalog,
    names,
    rows: (ROWS[catalog.tableName] ?? []).map((row) => names.map((name) => row[name])),
  };
});
const emptied: readonly TestTable[] = tables.map((table) => ({
  ...table,
  catalog: { ...table.catalog },
  rows: [],
}));

/** Reads nothing where the optimizer says so. */
function readAsTold(scan: TableScan): TableRead {
  const read = scanRead(scan);
  if (!scan.filter.some(isNeverTrue)) return read;
  return {
    ...read,
    table: emptied[tables.findIndex(({ catalog }) => catalog === scan.table)]?.catalog ?? scan.table,
  };
}

function scansOf(plan: LogicalPlan): readonly TableScan[] {
  const scans: TableScan[] = [];
  walkDeep(plan, { plan: (node) => void (node.kind === 'TableScan' && scans.push(node)) });
  return scans;
}

/** Steps below a derived table's column have a type of their own only once they are read by themselves. */
function selectsWithin(plan: LogicalPlan): boolean {
  let selects = false;
  walkDeep(plan, { expression: ({ kind }) => void (selects ||= kind === 'DocumentAccess') });
  return selects;
}

describe('optimized statements', () => {
  let database: Database;
  before(() => {
    database = testDatabase();
  });
  after(async () => {
    await database.close();
  });

  const rowsOf = async (
    plan: LogicalPlan,
  ): Promise<{ rows: readonly string[]; types: readonly string[] }> => {
    const { json, types } = await runPlan(database, [...tables, ...emptied], plan, {
      chooseRead: readAsTold,
    });
    const rows = (JSON.parse(json) as readonly unknown[]).map((row) => JSON.stringify(row));
    return { rows: rows.sort(), types };
  };

  for (const sql of STATEMENTS) {
    it(`have the same rows: ${sql}`, async () => {
      const bound = bindSql(sql);
      const expected = await rowsOf(bound.plan);
      for (const pushdown of [true, false]) {
        const { plan } = optimizeBound(bound, { pushdown });
        const { rows, types } = await rowsOf(plan);
        expect(rows).to.deep.equal(expected.rows);
        // An attribute's type is told by the values that are read.
        if (!scansOf(plan).some(({ filter }) => filter.some(isNeverTrue)) && !selectsWithin(bound.plan))
          expect(types).to.deep.equal(expected.types);
      }
    });
  }
});
