import { expect } from 'chai';
import { threadMs } from '../../../../common/test/support/thread-time.ts';
import { bind } from '../../../src/binder/bind.ts';
import type { CatalogTable } from '../../../src/catalog/table.ts';
import { chooseRead } from '../../../src/dynamodb/choose-read.ts';
import { parse } from '../../../src/parser/parse.ts';
import { explain } from '../../../src/planning/explain/explain.ts';
import type { PhysicalPlan } from '../../../src/planning/physical-plan.ts';
import { parseParameters } from '../../../src/binder/parameters.ts';
import { attribute, catalogTable, index } from '../../dynamodb/fixtures.ts';
import { optimize, planQuery } from '../in-one-go.ts';

/** A million customers and ten million orders, of 400 bytes each: scans of 48,829 and 488,282 units. */
const CUSTOMERS = catalogTable('id:S', {
  tableName: 'customers',
  itemCount: 1_000_000,
  sizeBytes: 400_000_000,
});
const ORDERS = catalogTable('customer:S, n:N', {
  tableName: 'orders',
  itemCount: 10_000_000,
  sizeBytes: 4_000_000_000,
  indexes: [index('by_product', 'product:N', { projection: 'KEYS_ONLY' }), index('by_day', 'day:S, n:N')],
  attributes: [
    attribute('customer', { S: 1000 }, 990),
    ...['n', 'product', 'day', 'giver'].map((name) => attribute(name)),
    attribute('friend', { S: 1000 }),
  ],
  sampledItems: 1000,
});
const SMALL = catalogTable('code:S', { tableName: 'countries', itemCount: 10, sizeBytes: 1000 });
/** Scans of 49 and 977 units. */
const REGIONS = catalogTable('id:S', { tableName: 'regions', itemCount: 1000, sizeBytes: 400_000 });
const STORES = catalogTable('id:S', {
  tableName: 'stores',
  itemCount: 20_000,
  sizeBytes: 8_000_000,
  indexes: [index('by_region', 'region:S')],
  attributes: [
    attribute('region', { S: 1000 }, 10),
    ...['kind', 'open', 'owner'].map((name) => attribute(name)),
  ],
  sampledItems: 1000,
});
/** 5000 of them: 245 units, where half a unit each is more than three quarters of what the stores cost. */
const CODES = catalogTable('id:S', { tableName: 'codes', itemCount: 5000, sizeBytes: 2_000_000 });
const TABLES: Readonly<Record<string, CatalogTable>> = {
  regions: REGIONS,
  stores: STORES,
  codes: CODES,
  customers: CUSTOMERS,
  orders: ORDERS,
  countries: SMALL,
};

function planned(sql: string, more: Readonly<Record<string, CatalogTable>> = {}): PhysicalPlan {
  const tables = { ...TABLES, ...more };
  const bound = bind(parse(sql), {
    sql,
    tables: ({ table }) => tables[table.name] ?? SMALL,
    parameters: parseParameters(''),
  });
  return planQuery(optimize(bound, { rowsWanted: 100, pushdown: true }), {
    firstRowIdx: 0,
    maxRows: 100,
    chooseRead: (scan) => chooseRead(scan, { consistent: false, pushdown: true }),
  });
}

/** Each driven table, and the reads that must be in before. */
function drivenBy(sql: string): Readonly<Record<string, readonly string[]>> {
  const { filteredScans, reads } = planned(sql);
  const alias = (read: number): string => reads[read]?.alias ?? '?';
  return Object.fromEntries(
    [...filteredScans].map(([read, { filters }]) => [
      alias(read),
      filters.flatMap((filter) => filter.reads.map(alias)),
    ]),
  );
}

describe('which reads drive which', () => {
  const CASES: readonly (readonly [
    what: string,
    sql: string,
    expected: Readonly<Record<string, string[]>>,
  ])[] = [
    [
      'the side that a key narrows drives the other',
      `SELECT * FROM customers c JOIN orders o ON o.customer = c.id WHERE o.day = 'today' AND o.n < 3`,
      { c: ['o'] },
    ],
    [
      'one drives the next, and that one the next',
      `SELECT 1 FROM orders x JOIN customers c ON c.id = x.giver JOIN orders o ON o.customer = c.referrer WHERE x.customer = 'a' AND x.n < 3`,
      { c: ['x'], o: ['x', 'c'] },
    ],
    [
      'the largest part of the plan that is in drives',
      `SELECT 1 FROM customers c JOIN orders o ON o.customer = c.referrer JOIN customers p ON p.id = o.giver WHERE c.id = 'a'`,
      { o: ['c'], p: ['c', 'o'] },
    ],
    [
      'nothing drives a FULL JOIN',
      `SELECT 1 FROM customers c FULL JOIN orders o ON o.customer = c.id AND c.id = 'a'`,
      {},
    ],
    [
      'the kept side of a LEFT JOIN is not driven',
      `SELECT 1 FROM customers c LEFT JOIN orders o ON o.day = c.day AND o.customer = 'a'`,
      {},
    ],
    [
      'nothing goes below LIMIT',
      `SELECT 1 FROM (SELECT * FROM customers ORDER BY name LIMIT 5) c JOIN orders o ON o.customer = c.id`,
      { o: ['customers'] },
    ],
    [
      'nothing goes below an aggregate but what it groups by',
      `SELECT 1 FROM orders x JOIN (SELECT customer, max(n) AS top FROM orders GROUP BY customer) o ON o.customer = x.giver AND o.top = x.n WHERE x.customer = 'a'`,
      { orders: ['x'] },
    ],
    [
      'nothing goes below window functions but what all of them partition by',
      `SELECT o.top FROM orders x JOIN (SELECT customer, n, row_number() OVER (PARTITION BY n) AS top FROM orders) o ON o.customer = x.giver WHERE x.customer = 'a'`,
      {},
    ],
    [
      'the time of the statement may be part of what drives, for it is one',
      `SELECT 1 FROM customers c JOIN orders o ON o.day = CAST(CURRENT_DATE AS VARCHAR) || c.zone WHERE c.id IN ('a', 'b')`,
      { o: ['c'] },
    ],
    [
      'a tiny table is read as it is',
      `SELECT 1 FROM customers c JOIN countries k ON k.code = c.country WHERE c.id = 'a'`,
      {},
    ],
    [
      'all of a table drives nothing that costs less to scan',
      `SELECT 1 FROM customers c JOIN orders o ON c.id = o.customer`,
      {},
    ],
    [
      'all of a small table drives, however many items the sample says that a key leads to',
      `SELECT 1 FROM countries k JOIN stores s ON s.region = k.code`,
      { s: ['k'] },
    ],
    [
      'also by IN and EXISTS',
      `SELECT 1 FROM stores s WHERE s.region IN (SELECT code FROM countries) AND EXISTS (SELECT 1 FROM countries k WHERE k.code = s.region)`,
      { s: ['countries, k', 'countries, k'] },
    ],
    [
      'where either of two may drive the other, the smaller one does',
      `SELECT 1 FROM stores s JOIN regions r ON r.id = s.region WHERE s.kind = 'x' AND s.open = 1`,
      { s: ['r'] },
    ],
    [
      'the larger one does where the smaller has too many keys',
      `SELECT 1 FROM stores s JOIN codes c ON c.id = s.region WHERE s.kind = 'x' AND s.open = 1`,
      { c: ['s'] },
    ],
    [
      'all of a small table drives a chain',
      `SELECT 1 FROM countries k JOIN stores s ON s.region = k.code JOIN customers c ON c.id = s.owner WHERE s.kind = 'x'`,
      { s: ['k'], c: ['k', 's'] },
    ],
    [
      'NOT IN drives nothing, in neither direction',
      `SELECT 1 FROM customers WHERE id NOT IN (SELECT customer FROM orders WHERE day = 'today' AND n = 1)`,
      {},
    ],
    [
      'OR drives nothing',
      `SELECT 1 FROM customers c WHERE c.id IN (SELECT customer FROM orders WHERE day = 'today' AND n = 1) OR c.name = 'x'`,
      {},
    ],
    [
      'a table drives itself by its own texts',
      `SELECT 1 FROM orders t WHERE EXISTS (SELECT 1 FROM orders s WHERE s.friend = t.customer AND s.customer = 'a')`,
      { t: ['s'] },
    ],
    [
      'and by numbers, which no text key is found by, where they cost little: there may be none',
      `SELECT 1 FROM orders t WHERE EXISTS (SELECT 1 FROM orders s WHERE s.n = t.customer AND s.customer = 'a')`,
      { t: ['s'] },
    ],
    [
      'numbers drive keys of numbers',
      `SELECT 1 FROM orders t JOIN orders s ON t.product = s.n + 1 WHERE s.customer = 'a'`,
      { t: ['s'] },
    ],
    [
      'numbers of another table drive all the same: it is read anyway, and may hold none',
      `SELECT 1 FROM customers c JOIN orders o ON c.id = o.n WHERE o.customer = 'a'`,
      { c: ['o'] },
    ],
  ];
  for (const [what, sql, expected] of CASES) {
    it(what, () => expect(drivenBy(sql)).to.deep.equal(expected));
  }

  it('is settled within milliseconds for 64 large tables', () => {
    const names = Array.from({ length: 64 }, (_, i) => `t${i}`);
    const large = Object.fromEntries(
      names.map((name) => [name, catalogTable('id:S', { tableName: name, itemCount: 100_000 })]),
    );
    const on = names.slice(1).map((name, i) => `${name}.id = ${names[i]}.next`);
    const sql = `SELECT 1 FROM ${names.join(', ')} WHERE ${[...on, `t9.id = 'x'`].join(' AND ')}`;
    planned(sql, large);
    const started = threadMs();
    const plan = planned(sql, large);
    expect(threadMs() - started).to.be.below(3_000);
    expect(plan.filteredScans.size).to.equal(54);
  });
});

describe('EXPLAIN of lookups', () => {
  it('shows what is looked up, by what, for how much, and why', () => {
    const { text, weight } = explain(
      planned(
        `SELECT c.name, o.n FROM orders o JOIN customers c ON c.id = o.giver WHERE o.customer = 'a' AND o.n < 3`,
      ),
    );
    expect(text.split('\n')).to.deep.equal([
      'Page: 100 rows (computed when everything is read)',
      '  Project: c.name AS name, o.n AS n',
      '    LookupJoin (inner): c.id = o.giver',
      "      Filter: o.customer = 'a' AND o.n < 3",
      '        Query shop.orders as o',
      "            key: customer = 'a' AND n < 3",
      '            projection: giver, n, customer',
      '            estimate: 1 rows, 0.5 read units (0.5–537110)',
      "            why: partition key bound by o.customer = 'a', sort key by o.n < 3",
      '      BatchGetItem shop.customers as c',
      '          key: id = o.giver',
      '          keys from: o.giver',
      '          projection: id, name',
      '          estimate: 1 rows, 0.5 read units (0–2)',
      '          otherwise: Scan, 48828.5 read units, where as many keys as there are cost more',
      '          why: about 1 key expected, counted before this is read',
    ]);
    expect(weight).to.equal(1.0002);
  });

  it('names what gives the keys as the statement does, also from within subqueries', () => {
    const keysOf = (sql: string): string | undefined =>
      /keys from: (.*)/.exec(explain(planned(sql)).text)?.[1];
    expect(
      keysOf(`SELECT 1 FROM customers WHERE id IN (SELECT o.giver FROM orders o WHERE customer = 'a')`),
    ).to.equal('o.giver');
    expect(
      keysOf(
        `SELECT 1 FROM orders o JOIN customers c ON c.id = 'c#' || o.giver WHERE o.customer = 'a' AND o.n = 1`,
      ),
    ).to.equal("'c#' || o.giver");
    expect(
      keysOf(
        `SELECT 1 FROM orders o JOIN orders p ON p.customer = o.giver AND p.n = o.product WHERE o.customer = 'a'`,
      ),
    ).to.equal('o.giver, o.product');
  });
});
