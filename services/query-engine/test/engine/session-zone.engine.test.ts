/** Times with a zone by a session's zone: which rows conditions on sort keys find, and what they read. */
import { expect } from 'chai';
import type { SqlRules } from '../../src/catalog/description.ts';
import { engineTable } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const HOURS = 24 * 60;
const START = Date.UTC(2024, 2, 1);
/** An item each hour of two months, in which clocks change in Europe and America. */
const TIMES = Array.from({ length: HOURS }, (_, i) => new Date(START + i * 3_600_000).toISOString());
const ITEMS = TIMES.map((at) => ({ pk: { S: 'a' }, at: { S: at }, text: { S: 'x'.repeat(200) } }));
const KEY = { partitionKey: { name: 'pk', type: 'S' }, sortKey: { name: 'at', type: 'S' } } as const;

const inZone = (timeZone: string): SqlRules => ({ engine: 'postgresql', timeZone });

/** The date that clocks in a zone show. */
const dateIn = (zone: string, at: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(new Date(at));

describe('times with a zone by the zone of a session', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine([engineTable('hours', KEY, ITEMS)]);
  });
  after(() => engine.close());

  for (const zone of [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Pacific/Kiritimati',
    'Etc/GMT+12',
  ]) {
    for (const [condition, isMeant] of [
      ["at::timestamptz::date = '2024-03-31'", (date: string) => date === '2024-03-31'],
      ["date_trunc('day', at::timestamptz)::date = '2024-03-10'", (date: string) => date === '2024-03-10'],
      ["(at::timestamptz + interval '1 day')::date = '2024-04-01'", (date: string) => date === '2024-03-31'],
    ] as const)
      it(`${zone}: ${condition} finds what clocks show, by key`, async () => {
        const sql = `SELECT at FROM shop.hours WHERE pk = 'a' AND ${condition} ORDER BY at`;
        const { rows, readUnits } = await engine.run(sql, { rules: inZone(zone) });
        const meant = TIMES.filter((at) => isMeant(dateIn(zone, at)));
        expect(rows).to.deep.equal(meant.map((at) => [at]));
        // A day and those beside it, since a text may have an offset: of 60 days in 46 units.
        expect(readUnits).to.be.at.most(4);
      });
    it(`${zone}: bounds without an offset are what clocks show`, async () => {
      const sql = `SELECT count(*) FROM shop.hours WHERE pk = 'a' AND at::timestamptz >= '2024-03-31' AND at::timestamptz < '2024-04-01'`;
      const { rows, readUnits } = await engine.run(sql, { rules: inZone(zone) });
      expect(rows).to.deep.equal([[TIMES.filter((at) => dateIn(zone, at) === '2024-03-31').length]]);
      expect(readUnits).to.be.at.most(4);
    });
    it(`${zone}: groups by day are the days of its clocks`, async () => {
      const sql = `SELECT date_trunc('day', at::timestamptz)::date, count(*) FROM shop.hours WHERE pk = 'a' GROUP BY 1 ORDER BY 1`;
      const { rows } = await engine.run(sql, { rules: inZone(zone) });
      const counts = new Map<string, number>();
      for (const at of TIMES) counts.set(dateIn(zone, at), (counts.get(dateIn(zone, at)) ?? 0) + 1);
      expect(rows).to.deep.equal([...counts]);
    });
  }

  it('one zone’s plan does not answer another zone’s statement', async () => {
    const sql =
      "SELECT count(*), min(at) FROM shop.hours WHERE pk = 'a' AND at::timestamptz::date = '2024-03-20'";
    for (const zone of ['UTC', 'Asia/Tokyo', 'UTC', 'America/Lima', 'Asia/Tokyo']) {
      const { rows } = await engine.run(sql, { rules: inZone(zone) });
      expect(rows, zone).to.deep.equal([[24, TIMES.find((at) => dateIn(zone, at) === '2024-03-20')]]);
    }
  });

  it('a name that is no zone’s is refused where clocks are asked', async () => {
    const rules = inZone("x', now()) --");
    const failure = await engine.failure('SELECT CURRENT_DATE', { rules });
    expect(failure.message).to.match(
      /^What clocks show is not supported where the session's TimeZone is not UTC/,
    );
    expect(
      (await engine.run("SELECT count(*) FROM shop.hours WHERE pk = 'a'", { rules })).rows,
    ).to.deep.equal([[HOURS]]);
  });

  it('what is nested takes no longer and longer', async () => {
    let written = 'now()';
    for (let i = 0; i < 12; i += 1) written = `date_trunc('hour', ${written} + interval '1 day')`;
    const started = performance.now();
    expect(
      (await engine.run(`SELECT ${written} IS NULL`, { rules: inZone('Europe/Berlin') })).rows,
    ).to.deep.equal([[false]]);
    expect(performance.now() - started).to.be.below(5_000);
  });
});
