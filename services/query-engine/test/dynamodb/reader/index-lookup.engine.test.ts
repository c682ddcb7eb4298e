import { expect } from 'chai';
import { attribute, index } from '../fixtures.ts';
import { engineTable, n, s } from '../../engine/shop.ts';
import type { EngineTable } from '../../engine/engine-table.ts';
import { startTestEngine, type TestEngine } from '../../engine/test-engine.ts';

const ITEMS = 600;
const ITEM_BYTES = 2100;
/** Orders of 2.1 KB; 120 of customer c0, 1 of the others. By customer and day, only the keys and a status. */
function orders(): EngineTable {
  const items = Array.from({ length: ITEMS }, (_, i) => ({
    id: n(i),
    customer: s(i % 5 === 0 ? 'c0' : `c${i}`),
    ...(i % 50 === 1 ? {} : { day: s(`2024-${String(1000 - i)}`) }),
    status: s(i % 3 === 0 ? 'open' : 'paid'),
    total: n(i * 2),
    padding: s('x'.repeat(2000)),
  }));
  const table = engineTable(
    'orders',
    { partitionKey: { name: 'id', type: 'N' }, sortKey: null },
    items,
    ITEM_BYTES,
  );
  const byCustomer = index('by_customer', 'customer:S, day:S', {
    projection: 'INCLUDE',
    nonKeyAttributes: ['status'],
    itemCount: ITEMS,
    sizeBytes: ITEMS * 60,
  });
  const known = table.catalog.attributes.filter(({ name }) => name !== 'customer');
  const attributes = [...known, attribute('customer', { S: 100 }, 50)];
  return {
    ...table,
    catalog: { ...table.catalog, indexes: [byCustomer], attributes, sampledItems: 100 },
  };
}

describe('keys from an index, then the items', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine([orders()]);
  });
  after(() => engine.close());

  const CASES: readonly (readonly [
    what: string,
    sql: string,
    units: number,
    operations: readonly string[],
    rows: number,
  ])[] = [
    [
      'one item: 0.5 for the index, 0.5 for the item',
      `SELECT total FROM shop.orders WHERE customer = 'c7' AND day > '2024'`,
      1,
      ['Query', 'BatchGetItem'],
      1,
    ],
    [
      'none: 0.5 for the index',
      `SELECT total FROM shop.orders WHERE customer = 'nobody' AND day > '2024'`,
      0.5,
      ['Query'],
      0,
    ],
    [
      'one for each partition, counted before the items: 2 × 0.5 + 2 × 0.5',
      `SELECT total FROM shop.orders WHERE customer IN ('c7', 'c8') AND day > '2024'`,
      2,
      ['Query', 'Query', 'BatchGetItem'],
      2,
    ],
    [
      'the newest three by the index order: 0.5 + 3 × 0.5',
      `SELECT total FROM shop.orders WHERE customer = 'c0' AND day > '2024' ORDER BY day DESC LIMIT 3`,
      2,
      ['Query', 'BatchGetItem'],
      3,
    ],
    [
      'more than a batch: 120 entries of less than 8 KB, 120 × 0.5',
      `SELECT sum(total) FROM shop.orders WHERE customer = 'c0' AND day > '2024'`,
      61,
      ['Query', 'BatchGetItem', 'BatchGetItem'],
      1,
    ],
    [
      'a filter that the index decides spares items: 40 × 0.5',
      `SELECT sum(total) FROM shop.orders WHERE customer = 'c0' AND day > '2024' AND status = 'open'`,
      21,
      ['Query', 'BatchGetItem'],
      1,
    ],
  ];
  for (const [what, sql, units, operations, rows] of CASES) {
    it(what, async () => {
      await engine.aws.clear();
      const answer = await engine.run(sql);
      const requests = await engine.aws.requests();
      const logged = requests.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0);
      expect({
        reported: answer.readUnits,
        logged,
        operations: requests.map(({ operation }) => operation).sort((a, b) => (a < b ? 1 : -1)),
        rows: answer.rows.length,
      }).to.deep.equal({ reported: units, logged: units, operations, rows });
      expect(answer.rows).to.deep.equal((await engine.runScanning(sql)).rows);
    });
  }

  it('is shown by EXPLAIN', async () => {
    const { text } = await engine.plan(
      `SELECT total FROM shop.orders WHERE customer = 'c7' AND day > '2024'`,
    );
    expect(text).to.include('IndexLookup shop.orders index by_customer');
    expect(text).to.include('then: BatchGetItem of the table, by the keys found');
  });
});
