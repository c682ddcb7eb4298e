import { expect } from 'chai';
import { startTestEngine, type TestEngine } from '../engine/test-engine.ts';
import { engineTable, n, s } from '../engine/shop.ts';

const KEY = { partitionKey: { name: 'device', type: 'S' }, sortKey: { name: 'tick', type: 'N' } } as const;
const ITEMS = Array.from({ length: 60 }, (_, i) => ({
  device: s(`d${i % 3}`),
  tick: n(i),
  value: n(i % 7),
  note: s('x'.repeat(100)),
}));

describe('COUNT of rows', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    const table = engineTable('readings', KEY, ITEMS);
    engine = await startTestEngine([table]);
  });
  after(() => engine.close());

  const check = async (sql: string, counts: boolean): Promise<void> => {
    const { text } = await engine.plan(sql);
    expect(text.includes('select: count'), text).to.equal(counts);
    expect((await engine.run(sql)).rows).to.deep.equal((await engine.runScanning(sql)).rows);
  };

  for (const sql of [
    `SELECT count(*) FROM shop.readings WHERE device = 'd1'`,
    `SELECT count(*) + 1 AS more FROM shop.readings WHERE device = 'd1' HAVING count(*) > 3`,
    `SELECT count(*) FROM shop.readings WHERE device = 'd1' AND tick > 30`,
    `SELECT count(*) FROM shop.readings WHERE device IN ('d1', 'd2', 'none') AND tick BETWEEN 10 AND 40`,
    `SELECT (SELECT count(*) FROM shop.readings WHERE device = 'd0') AS n`,
    `SELECT count(*) FROM shop.readings`,
  ])
    it(`asks for nothing but the number: ${sql}`, () => check(sql, true));

  for (const [what, sql] of [
    ['something else is checked', `SELECT count(*) FROM shop.readings WHERE device = 'd1' AND value = 3`],
    [
      'the ends of a range are no part of it',
      `SELECT count(*) FROM shop.readings WHERE device = 'd1' AND tick > 10 AND tick < 40`,
    ],
    ['a column is counted', `SELECT count(value) FROM shop.readings WHERE device = 'd1'`],
    ['different values are counted', `SELECT count(DISTINCT value) FROM shop.readings WHERE device = 'd1'`],
    [
      'only some rows are counted',
      `SELECT count(*) FILTER (WHERE value > 3) FROM shop.readings WHERE device = 'd1'`,
    ],
    [
      'there are groups',
      `SELECT device, count(*) FROM shop.readings WHERE device IN ('d1', 'd2') GROUP BY device`,
    ],
    [
      'others share the read',
      `SELECT (SELECT count(*) FROM shop.readings WHERE device = 'd0') AS n, max(value) FROM shop.readings`,
    ],
  ] as const)
    it(`reads what it needs where ${what}`, () => check(sql, false));
});
