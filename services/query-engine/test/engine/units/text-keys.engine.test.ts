import { expect } from 'chai';
import { engineTable, s } from '../shop.ts';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { described, index, key, sized } from './tables.ts';

/** Of each of ten customers a profile, and of 30 days two orders: items of 1 KB, a partition of 61 KB, 8 units. */
const ITEMS = Array.from({ length: 10 }, (_, customer) => {
  const days = Array.from({ length: 30 }, (_unused, day) => `2026-11-${String(day + 1).padStart(2, '0')}`);
  const sorts = ['PROFILE#', ...days.flatMap((day) => [`ORDER#${day}#1`, `ORDER#${day}#é😀`])];
  return sorts.map((sort) => {
    const partition = `CUSTOMER#${customer}`;
    const keys = { pk: s(partition), sk: s(sort), g: s(partition), h: s(sort) };
    return sized({ ...keys, copy_p: s(partition), copy_s: s(sort) }, 1024);
  });
}).flat();

const TABLES = [described(engineTable('things', key('pk', 'sk'), ITEMS), [index('by-h', key('g', 'h'))])];

interface Case {
  /** As everybody would write it for the fewest units; `{p}` and `{s}` are the keys. */
  readonly literal: string;
  readonly written: readonly string[];
}

const CASES: readonly Case[] = [
  {
    literal: `{p} = 'CUSTOMER#3' AND {s} = 'PROFILE#'`,
    written: [
      `CAST({p} AS VARCHAR) = 'CUSTOMER#3' AND {s}::text = 'PROFILE#'`,
      `{p} COLLATE "C" = 'CUSTOMER#3' AND {s} = 'PROFILE#' COLLATE "C"`,
      `'#' || {p} || '#' = '#CUSTOMER#3#' AND CONCAT('#', {s}) = '#PROFILE#'`,
      `NULLIF({p}, '') = 'CUSTOMER#3' AND {s} SIMILAR TO 'PROFILE#'`,
      `{p} ~ '^CUSTOMER#3$' AND LEFT({s}, 20) = 'PROFILE#'`,
    ],
  },
  {
    literal: `{p} = 'CUSTOMER#3' AND {s} LIKE 'ORDER#2026-11-2%'`,
    written: [
      `{p} = 'CUSTOMER#3' AND LEFT({s}, 15) = 'ORDER#2026-11-2'`,
      `{p} = 'CUSTOMER#3' AND STARTS_WITH({s}, 'ORDER#2026-11-2')`,
      `{p} = 'CUSTOMER#3' AND {s} ^@ 'ORDER#2026-11-2'`,
      `{p} = 'CUSTOMER#3' AND {s} ~ '^ORDER#2026-11-2\\d'`,
      `{p} = 'CUSTOMER#3' AND {s} SIMILAR TO 'ORDER#2026-11-2%'`,
      `{p} = 'CUSTOMER#3' AND STRPOS({s}, 'ORDER#2026-11-2') = 1`,
      `{p} = 'CUSTOMER#3' AND {s} || '' LIKE 'ORDER#2026-11-2%'`,
      `{p} = 'CUSTOMER#3' AND {s} LIKE 'ORDER#%' AND SUBSTR({s}, 7, 9) = '2026-11-2'`,
      `{p} = 'CUSTOMER#3' AND LEFT({s}, 6) = 'ORDER#' AND SUBSTR({s}, 7) LIKE '2026-11-2%'`,
    ],
  },
  {
    literal: `{p} = 'CUSTOMER#3' AND {s} >= 'ORDER#2026-11-20' AND {s} < 'ORDER$'`,
    written: [
      `{p} = 'CUSTOMER#3' AND SPLIT_PART({s}, '#', 1) = 'ORDER' AND SPLIT_PART({s}, '#', 2) >= '2026-11-20'`,
      `{p} = 'CUSTOMER#3' AND {s} LIKE 'ORDER#%' AND SPLIT_PART({s}, '#', 2) >= '2026-11-20'`,
      `{p} = 'CUSTOMER#3' AND SPLIT({s}, '#')[0] = 'ORDER' AND SPLIT({s}, '#')[1] >= '2026-11-20'`,
      `{p} = 'CUSTOMER#3' AND REGEXP_EXTRACT({s}, '^[A-Z]+#') = 'ORDER#' AND SUBSTR({s}, 7, 10) >= '2026-11-20'`,
    ],
  },
  {
    literal: `{p} IN ('CUSTOMER#3', 'CUSTOMER#4') AND {s} = 'PROFILE#'`,
    written: [
      `{p} SIMILAR TO 'CUSTOMER#(3|4)' AND {s} = 'PROFILE#'`,
      `CAST({p} AS text) IN ('CUSTOMER#3', 'CUSTOMER#4') AND RTRIM({s}) = 'PROFILE#'`,
      `({p} LIKE 'CUSTOMER#3' OR 'x' || {p} = 'xCUSTOMER#4') AND SPLIT_PART({s}, '#', 1) = 'PROFILE'`,
    ],
  },
  {
    literal: `FALSE`,
    written: [`LEFT({p}, 3) = 'CUSTOMER#3'`, `'A#' || {p} = 'CUSTOMER#3'`],
  },
];

const SOURCES = [
  { name: 'the table', p: 'pk', s: 'sk' },
  { name: 'a global index', p: 'g', s: 'h' },
];

/** A part that may be the last is read by two conditions, or by one over what lies between. */
const UNITS_BESIDE = 1;

describe('conditions on texts', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine(TABLES);
  });
  after(() => engine.close());

  const asked = async (where: string, p: string, sort: string) => {
    const condition = where.replaceAll('{p}', () => p).replaceAll('{s}', () => sort);
    await engine.aws.clear();
    const sql = `SELECT pk, sk FROM shop.things WHERE ${condition} ORDER BY pk, sk`;
    const { rows } = await engine.run(sql, { maxRows: 1000 });
    const requests = await engine.aws.requests();
    return { rows, units: requests.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0) };
  };

  for (const { literal, written } of CASES)
    for (const { name, p, s: sort } of SOURCES)
      it(`cost what ${literal} does, by the keys of ${name}, and give the same rows`, async function () {
        this.timeout(60_000);
        const least = await asked(literal, p, sort);
        for (const where of written) {
          const found = await asked(where, p, sort);
          expect(found.rows, where).to.deep.equal(least.rows);
          expect(found.units, where).to.be.at.most(least.units * 1.1 + UNITS_BESIDE);
          expect((await asked(where, 'copy_p', 'copy_s')).rows, where).to.deep.equal(found.rows);
        }
      });

  it('that could not be turned around read as before, and find what they found', async function () {
    this.timeout(60_000);
    for (const where of [
      `UPPER({p}) = 'CUSTOMER#3'`,
      `RIGHT({s}, 1) = '1'`,
      `{s} ~* '^order#2026-11-2'`,
      `{s} ~ '^ORDER|^PROFILE#$|1$'`,
      `SPLIT_PART({s}, '#', 3) = 'é😀'`,
      `SPLIT_PART({s}, '#', -1) = '1'`,
      `SUBSTR({s}, 7, 10) = '2026-11-20'`,
      `LEFT({s}, -2) = 'ORDER#2026-11-20'`,
    ]) {
      const { rows } = await asked(where, 'pk', 'sk');
      expect(rows, where).to.not.deep.equal([]);
      expect((await asked(where, 'copy_p', 'copy_s')).rows, where).to.deep.equal(rows);
    }
  });
});
