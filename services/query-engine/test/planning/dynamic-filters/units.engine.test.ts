import { expect } from 'chai';
import { startTestEngine, type TestEngine } from '../../engine/test-engine.ts';
import { lookupTables } from './tables.ts';

/**
 * Items are of 2.2 to 2.3 KB, so each is half a unit by key. Scans, half a unit for each 4 KB: accounts 11, orders 33,
 * products 8.5, tags 6.5. An account from 0 to 24 has 4 or 5 orders, a Query of 1.5; of the 120 orders, i counted, those
 * with i % 37 = p and i % 6 > 0 have product p.
 */
type Case = readonly [
  what: string,
  sql: string,
  units: number,
  operations: Readonly<Record<string, number>>,
  rows: number,
];

const CASES: readonly Case[] = [
  [
    'an inner join reads by the keys that the other side has: 1.5 + 5 × 0.5',
    `SELECT o.n, p.maker FROM shop.orders o JOIN shop.products p ON p.id = o.product WHERE o.account = 'a7'`,
    4,
    { Query: 1, BatchGetItem: 1 },
    5,
  ],
  [
    'whichever side is named first',
    `SELECT o.n, p.maker FROM shop.products p JOIN shop.orders o ON o.product = p.id WHERE o.account = 'a7'`,
    4,
    { Query: 1, BatchGetItem: 1 },
    5,
  ],
  [
    'a join drives an index: 8.5 for the products, 1 for each of 8',
    `SELECT o.n FROM shop.orders o JOIN shop.products p ON p.id = o.product WHERE p.maker = 'm1'`,
    16,
    { Scan: 1, Query: 8 },
    18,
  ],
  [
    'the side that a LEFT JOIN may leave empty is driven: 3 × 0.5, then the two bosses that there are names of',
    `SELECT a.id, b.name FROM shop.accounts a LEFT JOIN shop.accounts b ON b.id = a.boss WHERE a.id IN ('a1', 'a2', 'a6')`,
    2.5,
    { BatchGetItem: 2 },
    3,
  ],
  [
    'and that of a RIGHT JOIN',
    `SELECT p.id, t.weight FROM shop.tags t RIGHT JOIN shop.products p ON t.name = p.tag WHERE p.id IN (0, 1, 2)`,
    2.5,
    { BatchGetItem: 2 },
    3,
  ],
  [
    'no side of a FULL JOIN is: 6.5 + 8.5',
    `SELECT count(*) FROM shop.tags t FULL JOIN shop.products p ON t.name = p.tag AND p.id IN (0, 1, 2)`,
    15,
    { Scan: 2 },
    1,
  ],
  [
    'a chain of joins goes on from table to table: 1.5, 5 × 0.5, then two different tags',
    `SELECT o.n, p.maker, t.weight FROM shop.orders o JOIN shop.products p ON p.id = o.product JOIN shop.tags t ON t.name = p.tag WHERE o.account = 'a7'`,
    5,
    { Query: 1, BatchGetItem: 2 },
    2,
  ],
  [
    'IN reads by what its subquery gives',
    `SELECT id FROM shop.products WHERE id IN (SELECT product FROM shop.orders WHERE account = 'a7')`,
    4,
    { Query: 1, BatchGetItem: 1 },
    5,
  ],
  [
    'so does = ANY',
    `SELECT id FROM shop.products WHERE id = ANY (SELECT product FROM shop.orders WHERE account = 'a7')`,
    4,
    { Query: 1, BatchGetItem: 1 },
    5,
  ],
  [
    'NOT IN does not: 1.5 + 8.5',
    `SELECT id FROM shop.products WHERE id NOT IN (SELECT product FROM shop.orders WHERE account = 'a7' AND product IS NOT NULL)`,
    10,
    { Query: 1, Scan: 1 },
    25,
  ],
  [
    'EXISTS reads by what it finds inside',
    `SELECT id FROM shop.products p WHERE EXISTS (SELECT 1 FROM shop.orders o WHERE o.product = p.id AND o.account = 'a7')`,
    4,
    { Query: 1, BatchGetItem: 1 },
    5,
  ],
  [
    'the inside of NOT EXISTS is read by the rows around it: 8.5, then 1.5 and 1 for products 0 and 1',
    `SELECT id FROM shop.products p WHERE p.id < 2 AND NOT EXISTS (SELECT 1 FROM shop.orders o WHERE o.product = p.id)`,
    11,
    { Scan: 1, Query: 2 },
    0,
  ],
  [
    'so is a correlated scalar subquery: 2 × 0.5 + 2 × 1.5',
    `SELECT id, (SELECT count(*) FROM shop.orders o WHERE o.account = a.id) FROM shop.accounts a WHERE a.id IN ('a7', 'a8')`,
    4,
    { BatchGetItem: 1, Query: 2 },
    2,
  ],
  [
    'a comparison with a scalar subquery reads its one value',
    `SELECT name FROM shop.accounts WHERE id = (SELECT max(account) FROM shop.orders WHERE product = 5)`,
    1.5,
    { Query: 1, GetItem: 1 },
    1,
  ],
  [
    'a CTE that is used twice drives',
    `WITH mine AS (SELECT product, n FROM shop.orders WHERE account = 'a7') SELECT m.n, p.maker FROM mine m JOIN shop.products p ON p.id = m.product UNION ALL SELECT n, NULL FROM mine`,
    4,
    { Query: 1, BatchGetItem: 1 },
    10,
  ],
  [
    'groups of a derived table drive',
    `SELECT d.k, p.maker FROM (SELECT product AS k, count(*) AS c FROM shop.orders WHERE account = 'a7' GROUP BY product) d JOIN shop.products p ON p.id = d.k`,
    4,
    { Query: 1, BatchGetItem: 1 },
    5,
  ],
  [
    'what is asked of a UNION is asked of its branches: one boss, NULL',
    `SELECT x.id FROM (SELECT id FROM shop.accounts UNION SELECT name FROM shop.tags) x WHERE x.id IN (SELECT boss FROM shop.accounts WHERE id = 'a1')`,
    0.5,
    { GetItem: 1 },
    0,
  ],
  [
    'keys may be computed: 3 × 0.5 + 3 × 0.5',
    `SELECT a.id, t.name FROM shop.accounts a JOIN shop.tags t ON t.name = 't' || a.favorite WHERE a.id IN ('a1', 'a2', 'a4')`,
    3,
    { BatchGetItem: 2 },
    2,
  ],
  [
    'whole keys of two parts come from one row: 3 × 0.5 twice, and not the orders of three accounts',
    `SELECT o.n FROM shop.products p JOIN shop.orders o ON o.account = 'a' || p.price AND o.n = p.price + 25 WHERE p.id IN (0, 1, 2)`,
    3,
    { BatchGetItem: 2 },
    1,
  ],
  [
    'nothing is read where the driver has no rows: 33',
    `SELECT p.id FROM shop.orders o LEFT JOIN shop.products p ON p.id = o.product WHERE o.n > 1000`,
    33,
    { Scan: 1 },
    0,
  ],
  [
    'where either side may give the other its keys, the smaller one is read first: 8.5, then four keys, which tell that a scan costs less',
    `SELECT p.id FROM shop.products p JOIN shop.orders o ON o.product = p.id WHERE o.n > 1000`,
    40,
    { Scan: 2, Query: 4 },
    0,
  ],
  [
    'a scan is taken where more keys come than it costs: 33 + 6.5',
    `SELECT count(*) FROM shop.tags t JOIN shop.orders o ON o.tag = t.name WHERE o.n >= 0`,
    39.5,
    { Scan: 2 },
    1,
  ],
];

describe('the units of lookups', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine(lookupTables());
  });
  after(() => engine.close());

  for (const [what, sql, units, operations, rows] of CASES) {
    it(what, async () => {
      await engine.aws.clear();
      const answer = await engine.run(sql);
      const requests = await engine.aws.requests();
      const logged = requests.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0);
      const counts = Map.groupBy(requests, ({ operation }) => operation);
      expect({
        reported: answer.readUnits,
        logged,
        operations: Object.fromEntries([...counts].map(([name, list]) => [name, list.length])),
        rows: answer.rows.length,
      }).to.deep.equal({ reported: units, logged: units, operations, rows });
      expect(answer.rows).to.deep.equal((await engine.runScanning(sql)).rows);
    });
  }
});
