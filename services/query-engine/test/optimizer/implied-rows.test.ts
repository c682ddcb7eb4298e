/** What is implied of a scan's rows changes no row of the result: statements with such rows, and without. */
import { expect } from 'chai';
import type { CatalogTable } from '../../src/catalog/table.ts';
import type { Database } from '../../src/execution/session/database.ts';
import type { LogicalPlan, TableScan } from '../../src/logical/plan.ts';
import type { TableRead } from '../../src/dynamodb/table-read.ts';
import { index } from '../dynamodb/fixtures.ts';
import type { TestCell } from '../execution/batches.ts';
import { runPlan, scanRead, testDatabase, type TestTable } from '../execution/tables.ts';
import { TABLES, bindSql, optimizeBound } from './fixture.ts';
import { STATEMENTS } from './statements.ts';

/** Most attributes are missing somewhere. */
const ROWS: Readonly<Record<string, readonly Readonly<Record<string, TestCell>>[]>> = {
  customers: [
    { id: 'c1', name: 'Ann', city: 'Bonn', vip: true, age: 30 },
    { id: 'c2', name: 'Bob', vip: false },
    { id: 'c3', city: 'Bonn', age: 30 },
    { id: 'c4' },
    { id: '5', name: '5', city: '05', vip: true, age: 5 },
  ],
  orders: [
    { customer_id: 'c1', order_no: 1, total: 10, status: 'open' },
    { customer_id: 'c1', order_no: 2 },
    { customer_id: 'c2', order_no: 3, status: 'open' },
    { customer_id: 'c9', order_no: 5, total: 30, status: 'Ann' },
    { customer_id: '5', order_no: 7 },
  ],
  lines: [
    { order_no: 1, product_id: 'p1', quantity: 3 },
    { product_id: 'p2', order_no: 1 },
    { order_no: 3, product_id: 'p1', quantity: 30 },
    { order_no: 7, product_id: 'p3' },
  ],
};

const MORE: readonly string[] = [
  'SELECT max(c.age), count(o.total) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id',
  'SELECT max(o.total) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id',
  'SELECT sum(o.total), sum(c.age) FROM customers c FULL JOIN orders o ON o.customer_id = c.id',
  'SELECT sum(o.total * c.age) FROM customers c FULL JOIN orders o ON o.customer_id = c.id',
  'SELECT count(DISTINCT city) FROM customers',
  'SELECT max(v), count(v) FROM (SELECT age AS v FROM customers UNION ALL SELECT total FROM orders) u',
  'SELECT sum(x.age) FROM (SELECT DISTINCT age FROM customers) x',
  'SELECT min(x.city) FROM (SELECT city, count(*) AS n FROM customers GROUP BY city) x',
  'SELECT max(x.n) FROM (SELECT age + 1 AS n FROM customers ORDER BY id) x',
  'SELECT c.id, o.total FROM customers c JOIN orders o ON o.total >= c.age',
  'SELECT c.id, o.order_no FROM customers c LEFT JOIN orders o ON o.total = c.age',
  'SELECT id FROM customers WHERE age + 1 > 5 AND city || id > name',
  'SELECT id FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.total = c.age)',
  'SELECT id, (SELECT count(o.status) FROM orders o WHERE o.total = c.age) FROM customers c',
  'SELECT corr(age, id), regr_count(age, id), stddev(age), bool_or(age > 5), bit_xor(age) FROM customers',
  "SELECT string_agg(city, ','), median(age) FROM customers WHERE id > 'c2'",
  'SELECT max(total), max(total) FILTER (WHERE total > 10) FROM orders HAVING count(total) > 1',
];

/** Each attribute has an index. */
const tables: readonly TestTable[] = TABLES.map((table) => {
  const names = table.attributes.map(({ name }) => name);
  const catalog = { ...table, indexes: names.map((name) => index(`by-${name}`, `${name}:S`)) };
  return {
    catalog,
    names,
    rows: (ROWS[table.tableName] ?? []).map((row) => names.map((name) => row[name])),
  };
});

describe('rows that may be left out by what is above', () => {
  let database: Database;
  before(() => {
    database = testDatabase();
  });
  after(async () => {
    await database.close();
  });

  const rowsOf = async (plan: LogicalPlan, withImplied: boolean): Promise<readonly string[]> => {
    const known = [...tables];
    /** A table of its own for each scan that may do without rows. */
    const readOf = (scan: TableScan): TableRead => {
      const read = scanRead(scan);
      const { implied = [] } = scan;
      const whole = tables.find(({ catalog }) => catalog === scan.table);
      if (!withImplied || implied.length === 0 || whole === undefined) return read;
      const at = implied.flatMap((one) => {
        if (one.kind !== 'IsNull' || one.operand.kind !== 'ColumnReference') return [];
        const { id } = one.operand.column;
        return [whole.names.indexOf(String(scan.columns.find((column) => column.id === id)?.path[0]))];
      });
      const rows = whole.rows.filter((row) => at.every((i) => row[i] !== undefined && row[i] !== null));
      const catalog: CatalogTable = { ...whole.catalog };
      known.push({ ...whole, catalog, rows });
      return { ...read, table: catalog };
    };
    const { json } = await runPlan(database, known, plan, { chooseRead: readOf });
    return (JSON.parse(json) as readonly unknown[]).map((row) => JSON.stringify(row)).sort();
  };

  let fired = 0;
  for (const sql of [...MORE, ...STATEMENTS]) {
    it(`are missed by none: ${sql}`, async () => {
      const bound = bindSql(
        sql,
        '',
        tables.map(({ catalog }) => catalog),
      );
      const { plan } = optimizeBound(bound, { pushdown: true });
      if (JSON.stringify(plan).includes('"implied"')) fired++;
      expect(await rowsOf(plan, true)).to.deep.equal(await rowsOf(bound.plan, false));
    });
  }

  it('are there in many of these statements', () => expect(fired).to.be.above(20));
});
