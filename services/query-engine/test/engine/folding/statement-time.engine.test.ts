/** The time of a statement is one: for what it reads, for what is computed, and for all pages of a walk. */
import { expect } from 'chai';
import type { KnownPositions } from '../../../src/placed-page.ts';
import { engineTable, n, s } from '../shop.ts';
import { startFoldingEngine, type FoldingEngine } from './folding-engine.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 10, 20, 12);
const EVENTS = 60;
const PAD = s('x'.repeat(900));

/** One event an hour, until an hour after noon. */
const timeOf = (i: number): number => NOON - (EVENTS - 2 - i) * HOUR_MS;

const table = engineTable(
  'readings',
  { partitionKey: { name: 'device', type: 'S' }, sortKey: { name: 'ts', type: 'N' } },
  Array.from({ length: EVENTS }, (_, i) => ({
    device: s('d'),
    ts: n(timeOf(i)),
    day: s(new Date(timeOf(i)).toISOString().slice(0, 10)),
    at: s(new Date(timeOf(i)).toISOString()),
    pad: PAD,
  })),
  1000,
);
const days = engineTable(
  'days',
  { partitionKey: { name: 'day', type: 'S' }, sortKey: null },
  Array.from({ length: 60 }, (_, i) => ({
    day: s(`DAY#${new Date(NOON - i * 24 * HOUR_MS).toISOString().slice(0, 10)}`),
    i: n(i),
    pad: PAD,
  })),
  1000,
);

const LAST_HOURS = `SELECT ts FROM readings WHERE device = 'd' AND ts >= epoch_ms(now() - INTERVAL '10 hours') ORDER BY ts`;
const TODAY = `SELECT i FROM days WHERE day = 'DAY#' || strftime(now(), '%Y-%m-%d')`;

describe('the time of a statement', function () {
  this.timeout(60_000);
  let engine: FoldingEngine;
  before(async () => {
    engine = await startFoldingEngine([table, days]);
  });
  after(() => engine.close());
  beforeEach(() => {
    engine.clock.at = NOON;
    engine.forget();
    engine.lookups.length = 0;
  });

  const from = (hours: number): number[][] =>
    Array.from({ length: EVENTS }, (_, i) => [timeOf(i)]).filter(
      ([ts = 0]) => ts >= engine.clock.at - hours * HOUR_MS,
    );

  it('is what reads are planned by', async () => {
    const literal = await engine.run(
      `SELECT ts FROM readings WHERE device = 'd' AND ts >= ${NOON - 10 * HOUR_MS} ORDER BY ts`,
    );
    const { rows, units } = await engine.run(LAST_HOURS);
    expect(rows).to.deep.equal(from(10));
    expect(units).to.equal(literal.units).and.to.be.below(3);
    expect((await engine.run(TODAY)).rows).to.deep.equal([[0]]);
  });

  it('is the same wherever the statement names it', async () => {
    const { rows } = await engine.run(
      `SELECT DISTINCT now(), CURRENT_TIMESTAMP, LOCALTIMESTAMP, CAST(CURRENT_DATE AS VARCHAR), CURRENT_TIME,
         transaction_timestamp() = (SELECT max(now()) FROM days), TODAY() = CURRENT_DATE FROM readings`,
    );
    const noon = '2026-11-20 12:00:00';
    expect(JSON.stringify(rows).replaceAll('T', ' ')).to.contain(noon);
    expect(rows.length).to.equal(1);
    const [, ...others] = rows[0] ?? [];
    expect(others.slice(0, 2)).to.deep.equal([rows[0]?.[0], rows[0]?.[0]]);
    expect(others.slice(2)).to.deep.equal(['2026-11-20', '12:00:00', true, true]);
  });

  it('is that of each run, though the statement is planned once', async () => {
    for (const [hours, expected] of [
      [0, 0],
      [1, 0],
      [24, 59],
    ] as const) {
      engine.clock.at = NOON + hours * HOUR_MS;
      expect((await engine.run(LAST_HOURS)).rows, `after ${hours} hours`).to.deep.equal(from(10));
      if (hours < 24) expect((await engine.run(TODAY)).rows).to.deep.equal([[expected]]);
      else expect((await engine.run(TODAY)).rows).to.deep.equal([]);
    }
    const optimized = engine.lookups.filter(([cache]) => cache === 'optimized').map(([, hit]) => hit);
    expect(optimized).to.deep.equal([false, false, true, true, true, true]);
  });

  it('leaves the plan as it is where the values are the same', async () => {
    await engine.run(TODAY);
    engine.clock.at += HOUR_MS;
    engine.lookups.length = 0;
    expect((await engine.run(TODAY)).rows).to.deep.equal([[0]]);
    expect(engine.lookups).to.deep.include(['plan', true]);
  });

  it('is compared with other constants anew', async () => {
    const sql = `SELECT i FROM days WHERE day = 'DAY#2026-11-20' AND epoch_ms(now()) >= ${NOON + HOUR_MS}`;
    expect((await engine.run(sql)).operations).to.deep.equal([]);
    engine.clock.at += HOUR_MS;
    expect((await engine.run(sql)).rows).to.deep.equal([[0]]);
    engine.clock.at -= HOUR_MS;
    expect((await engine.run(sql)).rows).to.deep.equal([]);
  });

  it('finds a point read its generic plan, where only what is shown names it', async () => {
    const sql = 'SELECT i, now() AS t FROM days WHERE day = CAST(? AS VARCHAR)';
    const seen: unknown[] = [];
    for (const hours of [0, 1, 2, 3]) {
      engine.clock.at = NOON + hours * HOUR_MS;
      const { rows, units } = await engine.run(sql, { parameters: [`DAY#2026-11-${20 - hours}`] });
      seen.push(rows[0]);
      expect(units).to.equal(0.5);
    }
    expect(seen.map((row) => (row as unknown[])[0])).to.deep.equal([0, 1, 2, 3]);
    expect(new Set(seen.map((row) => (row as unknown[])[1])).size).to.equal(4);
    expect(engine.lookups.filter(([cache]) => cache === 'plan').at(-1)).to.deep.equal(['plan', true]);
  });

  describe('of a walk over pages', () => {
    /** Each page is asked for a while after the one before, by what is kept or without. */
    async function walk(sql: string, isKept: boolean, gapMs: number): Promise<unknown[]> {
      const kept = new Map<string, string>();
      const rows: unknown[] = [];
      for (let idx: number | null = 0; idx !== null; engine.clock.at += gapMs) {
        const at: number = idx;
        const find = async (scope: string): Promise<string | null> =>
          isKept ? (kept.get(`${at} ${scope}`) ?? null) : null;
        const positions: KnownPositions = { find, findBesides: find };
        const page = await engine.run(sql, { firstRowIdx: at, maxRows: 4, positions });
        rows.push(...page.rows);
        for (const { scope, text } of page.kept) kept.set(`${page.resumeIdx} ${scope}`, text);
        idx = page.resumeIdx;
      }
      return rows;
    }

    for (const [name, sql] of [
      ['of rows as they come', LAST_HOURS.replace(' ORDER BY ts', '')],
      ['of rows that are computed together', `${LAST_HOURS} DESC`],
      [
        'whose filter alone names it',
        `SELECT ts FROM readings WHERE device = 'd' AND CAST(at AS TIMESTAMP) >= now() - INTERVAL '10 hours'`,
      ],
    ] as const) {
      it(`is that of its first page: ${name}`, async () => {
        const expected = (await engine.run(sql)).rows;
        expect(expected.length).to.equal(12);
        expect(await walk(sql, true, HOUR_MS)).to.deep.equal(expected);
        engine.clock.at = NOON;
        // Where nothing is kept, each page has its own.
        expect(await walk(sql, false, HOUR_MS)).not.to.deep.equal(expected);
      });
    }

    it('is kept for statements that name it alone', async () => {
      const positions: KnownPositions = { find: async () => null, findBesides: async () => null };
      const asked = { maxRows: 4, positions };
      const scopes = async (sql: string): Promise<number> => (await engine.run(sql, asked)).kept.length;
      expect(await scopes('SELECT count(*) AS n FROM readings GROUP BY at')).to.equal(0);
      expect(await scopes('SELECT count(*) AS n, now() AS t FROM readings GROUP BY at')).to.equal(1);
    });
  });
});
