import { expect } from 'chai';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { unitTables } from './tables.ts';

/** A partition of `events` costs 6.5 units, one of `logs` 7.5. */
const CASES: readonly (readonly [sql: string, units: number])[] = [
  [`SELECT tick FROM shop.events WHERE device = 'd1' ORDER BY to_timestamp(tick) DESC LIMIT 2`, 0.5],
  [
    `SELECT tick, to_timestamp(tick / 1000) AS at FROM shop.events WHERE device = 'd1' ORDER BY at LIMIT 2`,
    0.5,
  ],
  [`SELECT tick FROM shop.events WHERE device = 'd1' ORDER BY -tick LIMIT 2`, 0.5],
  [`SELECT tick FROM shop.events WHERE device = 'd1' ORDER BY 1000 - tick DESC LIMIT 2 OFFSET 1`, 0.5],
  [`SELECT tick FROM shop.events WHERE device = 'd1' ORDER BY floor(tick / 10) DESC, tick DESC LIMIT 2`, 0.5],
  [`SELECT tick FROM shop.events WHERE device IN ('d1', 'd2') ORDER BY -tick, device DESC LIMIT 2`, 1],
  // Three of four have a level; the least come last.
  [`SELECT level FROM shop.events WHERE device = 'd1' ORDER BY -level LIMIT 1`, 6.5],
  [`SELECT level FROM shop.events WHERE device = 'd1' ORDER BY level * 2 DESC LIMIT 1`, 0.5],
  [`SELECT level FROM shop.events WHERE device = 'd1' ORDER BY coalesce(level, 100) DESC LIMIT 1`, 6.5],
  [`SELECT level FROM shop.events WHERE device = 'd1' AND level > 0 ORDER BY -level LIMIT 1`, 0.5],
  [`SELECT time FROM shop.logs WHERE day = 'a' ORDER BY CAST(time AS VARCHAR) DESC LIMIT 2`, 0.5],
  [`SELECT time FROM shop.logs WHERE day = 'a' ORDER BY 'T' || time DESC LIMIT 2`, 0.5],
  [`SELECT time FROM shop.logs WHERE day = 'a' ORDER BY time || 'T' DESC LIMIT 2`, 7.5],
  [`SELECT time FROM shop.logs WHERE day = 'a' ORDER BY right(time, 2), time DESC LIMIT 2`, 7.5],
];

describe('ORDER BY functions that keep the order of a sort key', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine(unitTables());
  });
  after(() => engine.close());

  for (const [sql, units] of CASES)
    it(`${units}: ${sql}`, async () => {
      await engine.aws.clear();
      const answer = await engine.run(sql);
      const requests = await engine.aws.requests();
      expect(requests.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0)).to.equal(units);
      expect(answer.rows).to.deep.equal((await engine.runScanning(sql)).rows);
    });

  it('page by page, each row once, in order', async () => {
    const sql = `SELECT tick FROM shop.events WHERE device = 'd1' ORDER BY date_trunc('minute', to_timestamp(tick)) DESC`;
    const ticks: number[] = [];
    for (let resumeIdx = 0; resumeIdx < 100; resumeIdx += 30) {
      const { rows } = await engine.run(sql, { resumeIdx, maxRows: 30 });
      ticks.push(...rows.map((row) => (row as [number])[0]));
    }
    expect(ticks.toSorted((a, b) => a - b)).to.deep.equal(Array.from({ length: 100 }, (_, i) => i));
    expect(ticks.slice(0, 40).every((tick) => tick >= 60)).to.equal(true);
  });
});
