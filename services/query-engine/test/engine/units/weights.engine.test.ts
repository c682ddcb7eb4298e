import { expect } from 'chai';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { relatedCases } from './related-cases.ts';
import { relatedTables } from './related-tables.ts';

/** Units so many times as many, and so many more, are another order of cost. */
const FACTOR = 2;
const UNITS = 2;
/** What only reading tells: how many there are of one value, and that there are none. */
const TOLD_BY_READING = ['shop.notes', 'shop.leaflets', "'nobody'", 'g.id = u.shop'];

interface Cost {
  readonly sql: string;
  readonly units: number;
  readonly weight: number;
}

describe('the weight of a plan', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine(relatedTables());
  });
  after(() => engine.close());

  it('orders statements as the units that they really cost do', async () => {
    const statements = Object.values(relatedCases).flat();
    const costs: Cost[] = [];
    for (const { sql, units } of statements) {
      if (TOLD_BY_READING.some((part) => sql.includes(part))) continue;
      costs.push({ sql, units, weight: (await engine.plan(sql)).weight });
    }
    const pairs = costs.flatMap((dear) =>
      costs
        .filter((cheap) => dear.units >= cheap.units * FACTOR && dear.units >= cheap.units + UNITS)
        .map((cheap) => ({ dear, cheap })),
    );
    const wrong = pairs
      .filter(({ dear, cheap }) => dear.weight <= cheap.weight)
      .map(
        ({ dear, cheap }) =>
          `${dear.units} (${dear.weight}) ${dear.sql}\n    ${cheap.units} (${cheap.weight}) ${cheap.sql}`,
      );
    expect(pairs.length).to.be.above(500);
    expect(wrong).to.deep.equal([]);
  });
});
