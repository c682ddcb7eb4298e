import { expect } from 'chai';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { entries, picks, unsampled, SCAN_UNITS } from './tables.ts';

/** Half a unit for the twelve rows, and for each entry. */
const UNITS = 6.5;

const CASES: Readonly<Record<string, string>> = {
  'a join of twelve rows, none of them filtered': `SELECT p.id, e.place FROM S.picks p JOIN S.entries e ON e.ref = p.ref`,
  'the same join the other way round': `SELECT p.id, e.place FROM S.entries e JOIN S.picks p ON e.ref = p.ref`,
  'a LEFT JOIN of twelve rows': `SELECT p.id, e.place FROM S.picks p LEFT JOIN S.entries e ON e.ref = p.ref`,
  'IN of a whole table': `SELECT count(*), max(place) FROM S.entries WHERE ref IN (SELECT ref FROM S.picks)`,
  'EXISTS in a whole table': `SELECT max(place) FROM S.entries e WHERE EXISTS (SELECT 1 FROM S.picks p WHERE p.ref = e.ref)`,
};

describe('a few keys that cannot cost more than a scan by much', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    const tables = [entries(), picks()];
    engine = await startTestEngine(tables, { views: tables.map(unsampled) });
  });
  after(() => engine.close());

  for (const [schema, which] of [
    ['shop', 'of tables that were sampled'],
    ['fresh', 'of tables that were not'],
  ] as const)
    for (const [what, text] of Object.entries(CASES)) {
      const sql = text.replaceAll('S.', () => `${schema}.`);
      it(`are looked up: ${what}, ${which}`, async () => {
        const scanned = await engine.runScanning(sql);
        expect(scanned.readUnits).to.equal(SCAN_UNITS + 0.5);
        await engine.aws.clear();
        const answer = await engine.run(sql);
        const requests = await engine.aws.requests();
        expect(requests.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0)).to.equal(UNITS);
        expect(answer.readUnits).to.equal(UNITS);
        expect(answer.rows).to.deep.equal(scanned.rows);
      });
    }
});
