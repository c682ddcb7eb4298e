import { expect } from 'chai';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { ITEM_BYTES, SHAPE_NAMES, keys, partitionsOf, shapeTable, type Shape } from './shapes.ts';
import { unsampled } from './tables.ts';

const KEYS = [4, 10, 20, 35, 60, 90];
const REGRET = 0.1;
/** What a page of the rounds that try may cost. */
const PAGE_UNITS = 1;
const REQUESTS_IN_FLIGHT = 32;
/** Requests of the least round that tries. */
const PROBES = 4;

const statement = (shape: Shape, schema: string, count: number): string =>
  `SELECT count(*), sum(l.seq), min(l.k), max(l.k) FROM ${schema}.keys p JOIN ${schema}.${shape} l ON l.k = p.k WHERE p.n < ${count}`;

/** What looking up all keys costs: half a unit for each step of 4 KB begun, and where nothing is found. */
function lookupUnits(shape: Shape, count: number): number {
  const partitions = partitionsOf(shape);
  const units = Array.from({ length: count }, (_, i) => {
    const steps = Math.ceil(((partitions.get(`k${i}`) ?? 0) * ITEM_BYTES) / 4096);
    return Math.max(1, steps) / 2;
  });
  return units.reduce((sum, one) => sum + one, 0);
}

const isEven = (shape: Shape, count: number): boolean =>
  shape !== 'zipf' && shape !== 'hot' && count <= partitionsOf(shape).size;

describe('lookups whose price nobody knows before', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    const tables = [...SHAPE_NAMES.map(shapeTable), keys()];
    engine = await startTestEngine(tables, { views: tables.map(unsampled) });
  });
  after(() => engine.close());

  for (const schema of ['shop', 'fresh']) {
    const how = schema === 'shop' ? 'with a sample' : 'without one';
    let [spent, least] = [0, 0];
    for (const shape of SHAPE_NAMES)
      it(`cost no more than the scan, a tenth of it or half a unit a key: ${shape}, ${how}`, async function () {
        this.timeout(120_000);
        for (const count of KEYS) {
          const sql = statement(shape, schema, count);
          const scanned = await engine.runScanning(sql);
          await engine.aws.clear();
          const answer = await engine.run(sql);
          expect(answer.rows, sql).to.deep.equal(scanned.rows);
          const requests = await engine.aws.requests();
          const logged = requests.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0);
          expect(answer.readUnits, sql).to.equal(logged);
          // The keys themselves are read either way.
          const own = (await engine.run(`SELECT * FROM ${schema}.keys`, { maxRows: 10_000 })).readUnits;
          const certain = scanned.readUnits - own;
          const units = answer.readUnits - own;
          const bound = certain + Math.max(REGRET * certain, count / 2) + REQUESTS_IN_FLIGHT * PAGE_UNITS;
          expect(units, sql).to.be.at.most(bound);
          // Where all keys lead to as much, what was tried tells.
          if (isEven(shape, count))
            expect(units, sql).to.be.at.most((1 + REGRET) * certain + PROBES * PAGE_UNITS);
          spent += units;
          least += Math.min(certain, lookupUnits(shape, count));
        }
      });

    it(`cost together hardly more than whichever way is cheaper, ${how}`, () => {
      expect(spent / least)
        .to.be.at.least(1)
        .and.at.most(1.15);
    });
  }

  it('go on where the statement may not consume what the scan costs', async () => {
    // 90 keys of half a unit are no gain beside a scan of 50; the keys themselves are half a unit.
    const sql = statement('unique', 'shop', 90);
    const scanned = await engine.run(sql);
    expect(scanned.readUnits).to.equal(50.5);
    const answer = await engine.run(sql, { maxReadUnits: 46 });
    expect(answer.readUnits).to.equal(45.5);
    expect(answer.rows).to.deep.equal(scanned.rows);
    expect((await engine.failure(sql, { maxReadUnits: 45 })).code).to.equal('READ_UNIT_LIMIT');
  });

  it('ask for the same each time', async () => {
    for (const shape of SHAPE_NAMES) {
      const asked: string[] = [];
      for (let run = 0; run < 2; run++) {
        await engine.aws.clear();
        await engine.run(statement(shape, 'fresh', 35));
        const requests = await engine.aws.requests();
        asked.push(
          requests
            .map((request) => JSON.stringify({ ...request, at: null }))
            .sort()
            .join('\n'),
        );
      }
      expect(asked[0], shape).to.equal(asked[1]);
    }
  });
});
