import { expect } from 'chai';
import { startTestEngine, type TestEngine } from '../../engine/test-engine.ts';
import { lookupQueries } from './query-generator.ts';
import { lookupTables } from './tables.ts';

const QUERIES = 250;
const SEED = 7;

describe('reads that others drive', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine(lookupTables());
  });
  after(() => engine.close());

  it(`give the rows of plain scans, for no more units than half a one for each key more (${QUERIES} queries)`, async function () {
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
      // Each partition is rounded up on its own, where a scan rounds once a page.
      const requests = await engine.aws.requests();
      const queries = requests.filter(({ operation }) => operation === 'Query').length;
      expect(answer.readUnits, sql).to.be.at.most(scanned.readUnits + queries / 2);
      if ((await engine.plan(sql)).text.includes('keys from')) driven++;
      plain += scanned.readUnits;
      pushed += answer.readUnits;
    }
    expect(driven, 'driven').to.be.above(QUERIES / 5);
    expect(pushed).to.be.below(plain * 0.8);
    expect(engine.disagreements).to.deep.equal([]);
  });
});
