import { expect } from 'chai';
import type { CatalogTable, SecondaryIndex } from '../../../src/catalog/table.ts';
import type { TableScan } from '../../../src/logical/plan.ts';
import { walkDeep } from '../../../src/logical/visit.ts';
import { NOT_NULL_RULES } from '../../../src/optimizer/not-null/not-null-rules.ts';
import { withoutImplied } from '../../../src/optimizer/rules/imply-not-null.ts';
import { bindSql, optimizeBound, TABLES } from '../fixture.ts';

/** Indexes by these attributes. */
const INDEXED = ['age', 'city', 'total', 'status', 'quantity'];

const tables: readonly CatalogTable[] = TABLES.map((table) => ({
  ...table,
  indexes: table.attributes
    .filter(({ name }) => INDEXED.includes(name))
    .map(({ name }): SecondaryIndex => ({
      name: `by-${name}`,
      global: true,
      key: { partitionKeys: [{ name, type: 'S' }], sortKeys: [] },
      projection: 'ALL',
      nonKeyAttributes: [],
      itemCount: 0,
      sizeBytes: 0,
      coverage: 'complete',
    })),
}));

function scansOf(sql: string, pushdown = true): readonly TableScan[] {
  const { plan } = optimizeBound(bindSql(sql, '', tables), { pushdown });
  const scans: TableScan[] = [];
  walkDeep(plan, { plan: (node) => void (node.kind === 'TableScan' && scans.push(node)) });
  return scans;
}

/** `alias.column` of each column that is implied not to be NULL. */
function impliedIn(sql: string, pushdown = true): readonly string[] {
  return scansOf(sql, pushdown)
    .flatMap(({ alias, columns, implied = [] }) =>
      implied.map((one) => {
        const id =
          one.kind === 'IsNull' && one.operand.kind === 'ColumnReference' ? one.operand.column.id : -1;
        return `${alias}.${columns.find((column) => column.id === id)?.name}`;
      }),
    )
    .sort();
}

interface Cases {
  readonly fires: readonly (readonly [sql: string, ...implied: string[]])[];
  readonly mustNot: readonly string[];
}

/** By the rules' names. */
const CASES: Readonly<Record<string, Cases>> = {
  'strict predicate': {
    fires: [
      ['SELECT id FROM customers c WHERE age + 1 > 5', 'c.age'],
      ['SELECT id FROM customers c WHERE -age = age % 3', 'c.age'],
      ['SELECT id FROM customers c WHERE age > (SELECT avg(quantity) FROM lines l)', 'c.age', 'l.quantity'],
      ['SELECT id FROM customers c WHERE age IN (SELECT order_no FROM orders)', 'c.age'],
      ['SELECT id FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.total = c.age)', 'o.total'],
    ],
    mustNot: [
      'SELECT id FROM customers c WHERE age IS NULL',
      'SELECT id FROM customers c WHERE coalesce(age, 0) = 0',
      'SELECT id FROM customers c WHERE age + 1 > 5 OR vip',
      'SELECT id FROM customers c WHERE age IS DISTINCT FROM id',
      'SELECT id FROM customers c WHERE age NOT IN (SELECT order_no FROM orders WHERE FALSE)',
      // Said by the predicate itself.
      'SELECT id FROM customers c WHERE age > 5',
      // No key of an index
      'SELECT id FROM customers c WHERE name = id',
    ],
  },
  'join condition': {
    fires: [
      ['SELECT c.id FROM customers c JOIN orders o ON o.total = c.age', 'c.age', 'o.total'],
      ['SELECT c.id FROM customers c, orders o WHERE o.total = c.age', 'c.age', 'o.total'],
      ['SELECT c.id FROM customers c JOIN orders o ON o.total > c.age + 1', 'c.age', 'o.total'],
      ['SELECT c.id FROM customers c LEFT JOIN orders o ON o.total = c.age', 'o.total'],
      ['SELECT c.id FROM customers c RIGHT JOIN orders o ON o.total = c.age', 'c.age'],
    ],
    mustNot: [
      'SELECT c.id FROM customers c FULL JOIN orders o ON o.total = c.age',
      'SELECT c.id FROM customers c JOIN orders o ON o.total IS NOT DISTINCT FROM c.age',
      'SELECT c.id FROM customers c JOIN orders o ON coalesce(o.total, 0) = coalesce(c.age, 0)',
    ],
  },
  'aggregates that ignore NULL': {
    fires: [
      ['SELECT max(age) FROM customers c', 'c.age'],
      ['SELECT min(age), sum(age * 2), count(DISTINCT age) FROM customers c', 'c.age'],
      ['SELECT count_if(age > 3), avg(age) FROM customers c', 'c.age'],
      ['SELECT corr(age, id) FROM customers c', 'c.age'],
      ['SELECT count(*) FILTER (WHERE age > 3), max(age) FROM customers c', 'c.age'],
      ["SELECT (SELECT max(total) FROM orders o WHERE o.customer_id = 'c1') m", 'o.total'],
    ],
    mustNot: [
      'SELECT max(age), count(*) FROM customers c',
      'SELECT max(age), max(city) FROM customers c',
      'SELECT vip, max(age) FROM customers c GROUP BY vip',
      'SELECT vip, max(age) FROM customers c GROUP BY ROLLUP (vip)',
      'SELECT array_agg(age) FROM customers c',
      "SELECT string_agg(DISTINCT city, ',') FROM customers c",
      'SELECT max(coalesce(age, 0)) FROM customers c',
      'SELECT bool_or(age > 3 AND vip) FROM customers c',
      'SELECT max(age) OVER () FROM customers c',
      'SELECT max(age) FROM (SELECT age FROM customers c LIMIT 3) x',
    ],
  },
  'group that is ignored': {
    fires: [
      ['SELECT sum(x.city) FROM (SELECT city, count(*) AS n FROM customers c GROUP BY city) x', 'c.city'],
    ],
    mustNot: [
      'SELECT city, count(*) FROM customers c GROUP BY city',
      'SELECT sum(x.city) FROM (SELECT city, count(*) AS n FROM customers c GROUP BY ROLLUP (city)) x',
      'SELECT sum(x.n) FROM (SELECT city, count(*) AS n FROM customers c GROUP BY city) x',
    ],
  },
  'computed column': {
    fires: [
      ['SELECT max(x.n) FROM (SELECT age + 1 AS n FROM customers c ORDER BY id) x', 'c.age'],
      ['SELECT count(x.n) FROM (SELECT CAST(age AS VARCHAR) AS n FROM customers c) x', 'c.age'],
    ],
    mustNot: [
      'SELECT max(x.n) FROM (SELECT coalesce(age, 0) AS n FROM customers c) x',
      'SELECT max(x.id) FROM (SELECT id, age + 1 AS n FROM customers c WHERE vip) x',
    ],
  },
  'branch of a union': {
    fires: [
      [
        'SELECT max(v) FROM (SELECT age AS v FROM customers c UNION ALL SELECT total FROM orders o) u',
        'c.age',
        'o.total',
      ],
      [
        'SELECT max(v) FROM (SELECT age AS v FROM customers c UNION SELECT order_no FROM orders o) u',
        'c.age',
      ],
    ],
    mustNot: [
      'SELECT max(v) FROM (SELECT age AS v FROM customers c EXCEPT SELECT total FROM orders o) u',
      'SELECT max(v) FROM (SELECT age AS v FROM customers c INTERSECT SELECT total FROM orders o) u',
    ],
  },
  'handed through': {
    fires: [
      ['SELECT max(c.age) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id', 'c.age'],
      ['SELECT max(o.total) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id', 'o.total'],
      ['SELECT max(o.total) FROM customers c FULL JOIN orders o ON o.customer_id = c.id', 'o.total'],
      ['SELECT sum(x.age) FROM (SELECT DISTINCT age FROM customers c) x', 'c.age'],
      ['SELECT max(x.age) FROM (SELECT age FROM customers c ORDER BY id) x', 'c.age'],
    ],
    mustNot: [
      'SELECT sum(x.age) FROM (SELECT DISTINCT ON (city) age, city FROM customers c ORDER BY city, id) x',
      'SELECT sum(x.age) FROM (SELECT age FROM customers c ORDER BY id LIMIT 3) x',
      'SELECT sum(x.age) FROM (SELECT age, count(*) OVER () AS n FROM customers c) x WHERE x.n > 2',
    ],
  },
};

describe('imply-not-null', () => {
  it('has cases of every rule, and every rule says where it must not fire', () => {
    expect(Object.keys(CASES)).to.deep.equal(NOT_NULL_RULES.map(({ name }) => name));
    for (const { implies, unless } of NOT_NULL_RULES) expect(implies.length * unless.length).to.be.above(0);
  });

  for (const [name, { fires, mustNot }] of Object.entries(CASES)) {
    for (const [sql, ...implied] of fires)
      it(`${name}: ${sql}`, () => expect(impliedIn(sql)).to.deep.equal(implied));
    for (const sql of mustNot) it(`${name}, not: ${sql}`, () => expect(impliedIn(sql)).to.deep.equal([]));
  }

  it('says nothing with pushdown off, nor of a contradiction', () => {
    expect(impliedIn('SELECT max(age) FROM customers c', false)).to.deep.equal([]);
    expect(impliedIn('SELECT max(age) FROM customers c WHERE 1 = 0')).to.deep.equal([]);
  });

  it('can be taken back', () => {
    const [scan] = scansOf("SELECT max(age) FROM customers c WHERE city = 'Bern'");
    const plain = scan === undefined ? undefined : withoutImplied(scan);
    expect(scan?.filter).to.have.length(2);
    expect(plain?.filter).to.deep.equal(scan?.filter.slice(0, 1));
    expect(plain).to.not.have.property('implied');
  });
});
