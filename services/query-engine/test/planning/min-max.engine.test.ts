import { expect } from 'chai';
import { index } from '../dynamodb/fixtures.ts';
import { engineTable, n, s } from '../engine/shop.ts';
import type { EngineTable } from '../engine/engine-table.ts';
import { startTestEngine, type TestEngine } from '../engine/test-engine.ts';

/** 40 readings of 2 KB for each of three devices: a partition costs 10 units and a half. */
function readings(): EngineTable {
  const items = Array.from({ length: 120 }, (_, i) => ({
    device: s(`d${i % 3}`),
    tick: n(i - 20),
    place: s(i % 2 === 0 ? 'roof' : 'cellar'),
    ...(i % 4 === 0 ? {} : { day: s(`2024-${100 + i}`) }),
    value: n((i * 37) % 101),
    padding: s('x'.repeat(2000)),
  }));
  const table = engineTable(
    'readings',
    { partitionKey: { name: 'device', type: 'S' }, sortKey: { name: 'tick', type: 'N' } },
    items,
    2100,
  );
  const byPlace = index('by_place', 'place:S, day:S', { itemCount: 90, sizeBytes: 90 * 2100 });
  return { ...table, catalog: { ...table.catalog, indexes: [byPlace] } };
}

describe('MIN and MAX of a sort key', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine([readings()]);
  });
  after(() => engine.close());

  const ONE_ITEM: readonly (readonly [what: string, sql: string, row: readonly unknown[]])[] = [
    ['the last of a partition', `SELECT max(tick) FROM shop.readings WHERE device = 'd1'`, [98]],
    ['the first', `SELECT min(tick) FROM shop.readings WHERE device = 'd1'`, [-19]],
    ['within a range', `SELECT max(tick) AS m FROM shop.readings WHERE device = 'd1' AND tick <= 50`, [50]],
    [
      'used in an expression',
      `SELECT max(tick) + 1, max(tick) FROM shop.readings WHERE device = 'd2'`,
      [100, 99],
    ],
    ['none in the partition', `SELECT max(tick) FROM shop.readings WHERE device = 'none'`, [null]],
    [
      'by an index',
      `SELECT min(day) FROM shop.readings WHERE place = 'roof' AND day >= '2024'`,
      ['2024-102'],
    ],
    ['of a group', `SELECT max(tick) FROM shop.readings WHERE device = 'd1' GROUP BY device`, [98]],
    ['in a subquery', `SELECT (SELECT max(tick) FROM shop.readings WHERE device = 'd1') AS m`, [98]],
  ];
  for (const [what, sql, row] of ONE_ITEM) {
    it(`reads one item: ${what}`, async () => {
      await engine.aws.clear();
      const answer = await engine.run(sql);
      expect(answer.rows).to.deep.equal([row]);
      expect(answer.readUnits).to.equal(0.5);
      const requests = await engine.aws.requests();
      expect(requests.map(({ operation, limit }) => ({ operation, limit }))).to.deep.equal([
        { operation: 'Query', limit: 1 },
      ]);
      expect((await engine.runScanning(sql)).rows).to.deep.equal([row]);
    });
  }

  it('reads one item for each end where both are asked', async () => {
    const sql = `SELECT max(tick) AS a, min(tick) AS b, max(tick) - 1 AS c FROM shop.readings WHERE device = 'd1' HAVING min(tick) < 0`;
    const answer = await engine.run(sql);
    expect(answer.rows).to.deep.equal([[98, -19, 97]]);
    expect(answer.readUnits).to.equal(1);
  });

  it('reads one item of each partition where there are several', async () => {
    const sql = `SELECT max(tick) FROM shop.readings WHERE device IN ('d1', 'd2')`;
    const answer = await engine.run(sql);
    expect(answer.readUnits).to.equal(1);
    expect(answer.rows).to.deep.equal((await engine.runScanning(sql)).rows);
  });

  const MORE: readonly (readonly [what: string, sql: string])[] = [
    ['another column decides too', `SELECT max(tick) FROM shop.readings WHERE device = 'd1' AND value > 50`],
    ['other things are asked', `SELECT max(tick), count(*) FROM shop.readings WHERE device = 'd1'`],
    ['of both ends one is none', `SELECT min(tick), max(value) FROM shop.readings WHERE device = 'd1'`],
    ['it is no sort key', `SELECT max(value) FROM shop.readings WHERE device = 'd1'`],
    [
      'groups are of more than keys',
      `SELECT value, max(tick) FROM shop.readings WHERE device = 'd1' GROUP BY value`,
    ],
    [
      'only some rows count',
      `SELECT max(tick) FILTER (WHERE value > 50) FROM shop.readings WHERE device = 'd1'`,
    ],
  ];
  for (const [what, sql] of MORE) {
    it(`reads all where ${what}`, async () => {
      const answer = await engine.run(sql);
      expect(answer.readUnits).to.be.at.least(10);
      expect(answer.rows).to.deep.equal((await engine.runScanning(sql)).rows);
    });
  }
});
