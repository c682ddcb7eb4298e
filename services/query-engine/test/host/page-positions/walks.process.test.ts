/**
 * Pages that begin where the one before ended have the rows of pages that read all that comes before them.
 *
 * Takes long: each statement is read in pages by two engines, and again from the first row on by one that knows of no page.
 */
import { expect } from 'chai';
import {
  budgetOf,
  everyOther,
  oneIn,
  SEED,
  SEED_SHOWN,
} from '../../../../common/test/support/random-budget.ts';
import { choiceFrom } from '../../engine/choice.ts';
import type { HostedAnswer } from '../test-host.ts';
import { startTwoEngines, walk, type TwoEngines } from './two-engines.ts';
import { blobs, parts, stock } from './walk-tables.ts';

const KEYS = Array.from({ length: 180 }, (_, i) => `(p = 'p${i % 13}' AND k = ${i % 4 === 0 ? -i : i / 2})`);

/** Rows go out as they are read, by every path. */
const STATEMENTS: readonly (readonly [path: string, sql: string])[] = [
  ['Scan', 'SELECT * FROM shop.parts'],
  ['Scan', 'SELECT p, k, amount FROM shop.parts'],
  ['Scan', 'SELECT amount, note, box FROM shop.parts WHERE rank > 40'],
  ['Scan', 'SELECT k * 2 AS twice, UPPER(note) AS note FROM shop.parts WHERE amount <> 3'],
  ['Scan', "SELECT LENGTH(filler) AS size FROM shop.parts WHERE note LIKE '%5%'"],
  ['Scan', "SELECT 'x' AS same FROM shop.parts"],
  ['Scan', 'SELECT box.side, box.tags[1] FROM shop.parts WHERE box.side IS NOT NULL'],
  ['Scan', 'SELECT amount FROM shop.parts LIMIT 333 OFFSET 41'],
  ['Scan', 'SELECT amount + 0 AS amount FROM shop.parts WHERE rank >= 50 LIMIT 200'],
  ['Scan', 'SELECT p, rank FROM shop.parts.by_kind WHERE rank < 70'],
  ['Scan', 'SELECT owner FROM shop.parts.by_owner'],
  ['Scan', 'SELECT id, size FROM shop.blobs'],
  ['Scan', 'SELECT size FROM shop.blobs WHERE size > 20'],
  ['Query', "SELECT k, amount FROM shop.parts WHERE p = 'p4'"],
  ['Query', "SELECT k, amount FROM shop.parts WHERE p = 'p4' ORDER BY k DESC"],
  ['Query', "SELECT k, amount FROM shop.parts WHERE p IN ('p1', 'p5', 'p9')"],
  ['Query', "SELECT k, amount FROM shop.parts WHERE p IN ('p1', 'p5', 'p9') AND rank < 60"],
  ['Query', "SELECT k, rank FROM shop.parts WHERE p = 'p2' AND rank >= 0 ORDER BY rank"],
  ['Query', "SELECT p, k, rank FROM shop.parts WHERE kind = 'nut' AND rank >= 0"],
  ['Query', "SELECT k, rank, amount FROM shop.parts WHERE kind = 'nut' AND rank >= 0 AND amount > 9 ORDER BY rank DESC"],
  ['Query', "SELECT p, k, amount FROM shop.parts WHERE kind IN ('nut', 'gear') AND rank > 20"],
  ['IndexLookup', "SELECT amount, note FROM shop.stock WHERE owner = 'o3' AND rank >= 0 ORDER BY rank DESC"],
  ['IndexLookup', "SELECT k, note FROM shop.stock WHERE owner = 'o2' AND rank >= 7 AND amount <> 9 ORDER BY rank"],
  ['BatchGetItem', `SELECT amount, note FROM shop.stock WHERE ${KEYS.join(' OR ')}`],
  ['BatchGetItem', `SELECT k FROM shop.stock WHERE amount > 30 AND (${KEYS.join(' OR ')})`],
]; // oxfmt-ignore

/** Computed as a whole, or merged of partitions: no page of them begins in the middle. */
const OTHERS: readonly (readonly [path: string, sql: string])[] = [
  ['Sort', 'SELECT p, k FROM shop.parts ORDER BY amount, k LIMIT 150'],
  ['Aggregate', 'SELECT kind, COUNT(*) AS n FROM shop.parts GROUP BY kind'],
  ['Query', "SELECT k, amount FROM shop.parts WHERE p IN ('p1', 'p5') ORDER BY k"],
];

/** At each statement in any order: WALK_LOOKS=200 for more. */
const LOOKS = budgetOf({ short: 1, long: 12, variable: 'WALK_LOOKS' });

const lines = (pages: readonly HostedAnswer[]): readonly string[] =>
  pages.flatMap(({ rows }) => rows.map((row) => JSON.stringify(row)));

describe(`walks over pages, on two engines (${SEED_SHOWN})`, function () {
  this.timeout(300_000 + LOOKS * 10_000);
  let both: TwoEngines;
  const choice = choiceFrom(SEED);
  const either = () => choice.pick(both.engines);
  before(async () => {
    both = await startTwoEngines([parts(), stock(), blobs()]);
  });
  after(() => both.close());

  for (const [path, sql] of oneIn(3, [...STATEMENTS, ...OTHERS]))
    it(`have the rows of fresh pages and of the whole: ${path}, ${sql.slice(0, 110)}`, async () => {
      const maxRows = choice.pick([7, 13, 23, 31]);
      const { text } = await both.fresh.plan(sql, { maxRows });
      expect(text, text).to.match(new RegExp(`\\b${path}\\b`));
      both.outcomes();
      const walked = await walk(either, sql, { maxRows });
      const looks = both.outcomes();
      expect(new Set(looks), 'looks for positions').to.deep.equal(
        new Set(OTHERS.some(([, other]) => other === sql) ? [] : ['used']),
      );
      const whole = await both.fresh.run(sql, { format: 'ndjson' });
      expect([...lines(walked)].sort()).to.deep.equal(whole.text.split('\n').slice(0, -1).sort());
      let resumeIdx = 0;
      for (const [i, page] of walked.entries()) {
        // A few of them: each reads all that comes before it.
        if (i < 2 || i % 5 === 4 || i >= walked.length - 2) {
          const alone = await both.fresh.run(sql, { maxRows, resumeIdx });
          expect(page.json, `rows from ${resumeIdx} on`).to.equal(alone.json);
          expect(page.columns).to.deep.equal(alone.columns);
          expect(page.resumeIdx).to.equal(alone.resumeIdx);
        }
        resumeIdx = page.resumeIdx ?? resumeIdx;
      }
    });

  it('show the types of a column as if all pages before had been read', async () => {
    const sql = 'SELECT amount FROM shop.parts';
    for (const page of await walk(either, sql, { maxRows: 200 })) {
      expect(page.types).to.have.length(1);
    }
    const resumeIdx = 1_000;
    const [known, alone] = await Promise.all([
      both.engines[0]!.run(sql, { maxRows: 200, resumeIdx }),
      both.fresh.run(sql, { maxRows: 200, resumeIdx }),
    ]);
    expect(known.types).to.deep.equal(alone.types);
  });

  it('have one time, as they come, as computed together, and by what they are restricted to', async () => {
    for (const sql of [
      'SELECT p, k, now() AS t FROM shop.parts',
      'SELECT k, now() AS t FROM shop.parts GROUP BY k',
      "SELECT k, now() AS t FROM shop.parts WHERE p = 'p4' AND k < epoch_ms(now())",
    ]) {
      const pages = await walk(either, sql, { maxRows: 40, rowFormat: 'object' });
      const times = pages.map(({ rows }) => new Set((rows as { t: string }[]).map(({ t }) => t)));
      expect(pages.length, sql).to.be.above(1);
      expect([...new Set(times.flatMap((some) => [...some]))], sql).to.have.length(1);
      // Without what is kept, each has the time at which it was asked for.
      const [first, other] = [
        await both.fresh.run(sql, { maxRows: 1 }),
        await both.fresh.run(sql, { maxRows: 1 }),
      ];
      expect(first.json).to.not.equal(other.json);
    }
  });

  it('come right in any order, twice, and by pages of other sizes', async () => {
    for (const [, sql] of everyOther(STATEMENTS)) {
      const starts = new Set([0]);
      for (let look = 0; look < LOOKS; look++) {
        const resumeIdx = choice.maybe(0.2) ? choice.int(1_300) : choice.pick([...starts]);
        const maxRows = choice.pick([1, 5, 31, 90, 400]);
        const known = await either().run(sql, { maxRows, resumeIdx });
        const alone = await both.fresh.run(sql, { maxRows, resumeIdx });
        expect(known.json, `${sql}: ${maxRows} rows from ${resumeIdx} on`).to.equal(alone.json);
        expect(known.resumeIdx).to.equal(alone.resumeIdx);
        if (known.resumeIdx !== null) starts.add(known.resumeIdx);
      }
    }
    expect(both.outcomes()).to.include('used');
  });
});
