import { expect } from 'chai';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { unitTables } from './tables.ts';

/** Pages so short that what the first needs costs less in one order, and what a later one needs in another. */
const CASES: readonly (readonly [sql: string, maxRows: number])[] = [
  // The index gives the order and stops early; later pages cost more there than reading the ticks and sorting them.
  [`SELECT 100 - tick AS left, kind FROM shop.events WHERE device = 'd0' AND tick < 40 AND kind >= 'k0' ORDER BY kind`, 2],
  // Few rows by the order of the index, many by that of the table.
  [`SELECT tick, level FROM shop.events WHERE device = 'd0' AND tick >= 20 AND level > 0`, 3],
  [`SELECT id, rank FROM shop.tickets WHERE owner IN ('o1', 'o2', 'o3') AND status = 'open' AND rank > 0`, 3],
  [`SELECT device, tick FROM shop.events WHERE device IN ('d0', 'd1') AND tick IN (1, 2, 3, 4, 5, 6)`, 2],
  [`SELECT * FROM shop.users LIMIT 11 OFFSET 3`, 4],
]; // oxfmt-ignore

describe('pages of a query', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine(unitTables());
  });
  after(() => engine.close());

  /** What is read, without what depends on the page. */
  const pathOf = async (sql: string, maxRows: number, resumeIdx: number): Promise<string> => {
    const { text } = await engine.plan(sql, { maxRows, resumeIdx });
    const passing = text.split('\n').map((line) => line.trim());
    return passing
      .filter((line) => /^(Query|Scan|GetItem|BatchGetItem|IndexLookup|Sort|key:)/.test(line))
      .join('\n');
  };

  for (const [sql, maxRows] of CASES) {
    it(`follow each other without a row lost or repeated: ${sql.slice(0, 120)}`, async () => {
      const paged: string[] = [];
      const first = await pathOf(sql, maxRows, 0);
      let resumeIdx: number | null = 0;
      while (resumeIdx !== null) {
        expect(await pathOf(sql, maxRows, resumeIdx), `page from ${resumeIdx}`).to.equal(first);
        const page = await engine.run(sql, { maxRows, resumeIdx });
        paged.push(...page.rows.map((row) => JSON.stringify(row)));
        ({ resumeIdx } = page);
      }
      const all = (await engine.run(sql)).rows.map((row) => JSON.stringify(row));
      expect(new Set(paged).size).to.equal(paged.length);
      expect([...paged].sort()).to.deep.equal([...all].sort());
    });
  }
});
