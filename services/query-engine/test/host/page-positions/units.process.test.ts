/** What walks over pages cost, by the endpoint's log: hardly more than reading all once. */
import { expect } from 'chai';
import { oneIn } from '../../../../common/test/support/random-budget.ts';
import { index } from '../../dynamodb/fixtures.ts';
import type { EngineTable } from '../../engine/engine-table.ts';
import { startTwoEngines, walk, type TwoEngines } from './two-engines.ts';
import { wide, WIDE } from './walk-tables.ts';

const PAGE_ROWS = 100;
/** Of what reading once costs; and read units for each page, which rounds up for itself. */
const TIMES_MAX = 1.1;
const UNITS_PER_PAGE_MAX = 0.5;

interface Case {
  readonly sql: string;
  readonly rows: number;
  readonly maxRows?: number;
}

const CASES: readonly Case[] = [
  { sql: 'SELECT id, at FROM shop.wide', rows: WIDE.count },
  { sql: 'SELECT * FROM shop.wide', rows: WIDE.count },
  { sql: 'SELECT at + 1 AS next FROM shop.wide', rows: WIDE.count, maxRows: 250 },
  { sql: 'SELECT id FROM shop.wide WHERE even = 1', rows: WIDE.count / 2 },
  { sql: 'SELECT id FROM shop.wide WHERE at % 10 = 3', rows: WIDE.count / 10 },
  {
    sql: "SELECT at FROM shop.wide WHERE shelf = 's3' AND at >= 0 AND even = 1",
    rows: WIDE.count / 8,
    maxRows: 40,
  },
  { sql: "SELECT at FROM shop.wide WHERE shelf IN ('s0', 's2') AND at >= 0", rows: WIDE.count / 2 },
  { sql: "SELECT at FROM shop.wide WHERE shelf = 's1' AND at >= 0 ORDER BY at DESC", rows: WIDE.count / 4 },
  {
    sql: "SELECT filler FROM shop.wide WHERE slot = 't7' AND at >= 0 ORDER BY at",
    rows: WIDE.count / 50,
    maxRows: 10,
  },
  {
    sql: "SELECT at, filler FROM shop.wide WHERE slot = 't8' AND at >= 0",
    rows: WIDE.count / 50,
    maxRows: 30,
  },
];

/** With an index of all attributes, of four partitions, and one of keys, of fifty. */
function shelved(): EngineTable {
  const { catalog, items } = wide();
  const sizes = { itemCount: WIDE.count, sizeBytes: WIDE.count * WIDE.bytes };
  return {
    catalog: {
      ...catalog,
      indexes: [
        index('by_shelf', 'shelf:S, at:N', sizes),
        index('by_slot', 'slot:S, at:N', { ...sizes, projection: 'KEYS_ONLY', sizeBytes: WIDE.count * 40 }),
      ],
    },
    items: items.map((item, i) => ({
      ...item,
      shelf: { S: `s${(i >> 1) % 4}` },
      slot: { S: `t${i % 50}` },
    })),
  };
}

describe('read units of a walk over pages', function () {
  this.timeout(300_000);
  let both: TwoEngines;
  before(async () => {
    both = await startTwoEngines([shelved()]);
  });
  after(() => both.close());

  for (const { sql, rows, maxRows = PAGE_ROWS } of oneIn(3, CASES))
    it(`are those of one read, and at most ${UNITS_PER_PAGE_MAX} a page: ${sql}`, async () => {
      await both.units();
      await both.fresh.run(sql, { format: 'ndjson' });
      const once = await both.units();
      let page = 0;
      const pages = await walk(() => both.engines[page++ % 2]!, sql, { maxRows });
      const units = await both.units();
      expect(
        pages.reduce((sum, { readUnits }) => sum + readUnits, 0),
        'metered',
      ).to.equal(units);
      expect(pages.flatMap((one) => one.rows)).to.have.length(rows);
      const figures = `${units} for ${once} in ${pages.length} pages`;
      expect(new Set(both.outcomes()), figures).to.deep.equal(new Set(['used']));
      expect(units, figures).to.be.at.most(TIMES_MAX * once + UNITS_PER_PAGE_MAX * pages.length);
    });

  it('are of one page alone for the page behind a position, to the half unit', async () => {
    const sql = 'SELECT id FROM shop.wide';
    const first = await both.engines[0]!.run(sql, { maxRows: PAGE_ROWS });
    const next = await both.engines[1]!.run(sql, { maxRows: PAGE_ROWS, resumeIdx: first.resumeIdx! });
    const halfUnits = Math.ceil((PAGE_ROWS * (WIDE.bytes + 'shelfs0slott0'.length)) / 4096);
    expect(next.readUnits).to.equal(halfUnits / 2);
    expect(next.readUnits).to.equal(first.readUnits);
  });

  it('stay within maxReadUnits, by which a page behind many others may be read', async () => {
    const sql = 'SELECT id FROM shop.wide';
    const pages = await walk(() => both.engines[0]!, sql, { maxRows: 1_000, maxReadUnits: 60 });
    expect(pages).to.have.length(11);
    const refused = await both.fresh
      .run(sql, { maxRows: 1_000, resumeIdx: 9_000, maxReadUnits: 60 })
      .catch((error: unknown) => error);
    expect(refused).to.have.property('code', 'READ_UNIT_LIMIT');
  });
});
