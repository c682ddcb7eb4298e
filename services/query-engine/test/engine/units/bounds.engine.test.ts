import { expect } from 'chai';
import { startTestEngine, type TestEngine, type TestQuery } from '../test-engine.ts';
import { unitCases } from './cases.ts';
import { relatedCases } from './related-cases.ts';
import { relatedTables } from './related-tables.ts';
import { unitTables } from './tables.ts';

/** An item that is more than four times as large as all are on average. */
const LARGE_ITEM = "WHERE id = 'd400'";

describe('the bounds of read units', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine([...unitTables(), ...relatedTables()]);
  });
  after(() => engine.close());

  const statements: readonly { readonly sql: string; readonly options?: TestQuery }[] = [
    ...Object.values(unitCases).flat(),
    ...Object.values(relatedCases).flat(),
  ];

  it('hold for all statements whose least units are known', async function () {
    // Some two hundred statements, planned and run: fifteen CPU seconds, which other lanes share.
    this.timeout(300_000);
    const outside: string[] = [];
    for (const { sql, options = {} } of statements) {
      if (sql.endsWith(LARGE_ITEM)) continue;
      const { low, high } = (await engine.plan(sql, options)).certainReadUnits;
      const { readUnits } = await engine.run(sql, options);
      if (readUnits < low || readUnits > high) outside.push(`${readUnits} is not in ${low}–${high}: ${sql}`);
    }
    expect(statements.length).to.be.above(200);
    expect(outside).to.deep.equal([]);
  });
});
