import { expect } from 'chai';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { halves, unsampled, SCAN_UNITS } from './tables.ts';

/** Half a unit for each of two ranges of the index, and for each item. */
const FEW: readonly (readonly [where: string, rows: number])[] = [
  [`half IN ('h0', 'h1') AND place >= 1195`, 5],
  [`half IN ('h0', 'h1') AND place BETWEEN 30 AND 33`, 4],
  [`half IN ('h0', 'h1') AND place > 5000`, 0],
];
/** As many entries as would cost the scan are counted: 47 KB, read in two ranges of pages. */
const COUNTING_UNITS_MAX = 0.02 * SCAN_UNITS;

describe('keys of an index that are counted before the items are looked up', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine([halves()], { views: [unsampled(halves())] });
  });
  after(() => engine.close());

  for (const schema of ['shop', 'fresh']) {
    for (const [where, rows] of FEW)
      it(`are looked up where they are few, whatever was guessed: ${where}, ${schema}`, async () => {
        const sql = `SELECT id, pad FROM ${schema}.halves WHERE ${where}`;
        const scanned = await engine.runScanning(sql, { maxRows: 10_000 });
        const answer = await engine.run(sql, { maxRows: 10_000 });
        expect(answer.rows).to.have.length(rows);
        expect(answer.rows.map(String).sort()).to.deep.equal(scanned.rows.map(String).sort());
        expect(answer.readUnits).to.equal(1 + rows / 2);
      });

    it(`are left for the scan where they are many, for hardly more than it: ${schema}`, async () => {
      const sql = `SELECT id, pad FROM ${schema}.halves WHERE half IN ('h0', 'h1') AND place >= 0`;
      const scanned = await engine.runScanning(sql, { maxRows: 10_000 });
      expect(scanned.readUnits).to.equal(SCAN_UNITS);
      const answer = await engine.run(sql, { maxRows: 10_000 });
      expect(answer.rows.map(String).sort()).to.deep.equal(scanned.rows.map(String).sort());
      expect(answer.readUnits).to.be.at.most(SCAN_UNITS + COUNTING_UNITS_MAX);
    });

    it(`give pages of one result: ${schema}`, async () => {
      const sql = `SELECT id FROM ${schema}.halves WHERE half IN ('h0', 'h1') AND place BETWEEN 100 AND 199 AND pad <> ''`;
      const whole = await engine.run(sql, { maxRows: 10_000 });
      const pages: unknown[] = [];
      for (let resumeIdx = 0; resumeIdx < 100; resumeIdx += 40)
        pages.push(...(await engine.run(sql, { maxRows: 40, resumeIdx })).rows);
      expect(pages).to.have.length(100);
      expect(pages.map(String).sort()).to.deep.equal(whole.rows.map(String).sort());
    });
  }

  it('are learned, as all keys are that were read to their ends', async () => {
    engine.reported.length = 0;
    await engine.run(`SELECT sum(length(pad)) FROM shop.halves WHERE half = 'h0' AND place IS NOT NULL`);
    // Messages of a worker come in order, and its findings come before what it is asked next.
    await engine.run('SELECT 1');
    const keys = engine.reported.flatMap(({ seen }) => seen.keys);
    expect(keys.filter(({ index }) => index === 'by-half')).to.have.length(1);
    expect(keys.find(({ index }) => index === 'by-half')).to.include({ keys: 1, missing: 0, items: 600 });
  });
});
