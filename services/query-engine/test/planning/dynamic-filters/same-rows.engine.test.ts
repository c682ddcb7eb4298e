import { expect } from 'chai';
import { budgetOf, SEED, SEED_SHOWN } from '../../../../common/test/support/random-budget.ts';
import { regretAllowed } from '../../engine/regret/promise.ts';
import { startTestEngine, type TestEngine } from '../../engine/test-engine.ts';
import { lookupQueries } from './query-generator.ts';
import { lookupTables } from './tables.ts';

const QUERIES = budgetOf({ short: 60, long: 250 });

describe('reads that others drive', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine(lookupTables());
  });
  after(() => engine.close());

  it(`give the rows of plain scans, for no more units but what trying and rounding may cost (${QUERIES} queries, ${SEED_SHOWN})`, async function () {
    this.timeout(120_000);
    const next = lookupQueries(SEED);
    let driven = 0;
    let plain = 0;
    let pushed = 0;
    for (let i = 0; i < QUERIES; i++) {
      const sql = next();
      const scanned = await engine.runScanning(sql, { maxRows: 10_000 });
      await engine.aws.clear();
      const answer = await engine.run(sql, { maxRows: 10_000 });
      expect(answer.rows, sql).to.deep.equal(scanned.rows);
      const most = scanned.readUnits + regretAllowed(scanned.readUnits, await engine.aws.requests());
      expect(answer.readUnits, sql).to.be.at.most(most);
      if ((await engine.plan(sql)).text.includes('keys from')) driven++;
      plain += scanned.readUnits;
      pushed += answer.readUnits;
    }
    expect(driven, 'driven').to.be.above(QUERIES / 5);
    expect(pushed).to.be.below(plain * 0.8);
    expect(engine.disagreements).to.deep.equal([]);
  });
});
