import { expect } from 'chai';
import {
  BOUND,
  FOUND_CONDITIONS,
  FOUND_STATEMENTS,
  HIDDEN_CONDITIONS,
  type ExampleTable,
} from '../../src/reference/found-by-key.ts';
import { startTestEngine, type TestEngine } from '../engine/test-engine.ts';
import { foundByKeyTables } from './found-by-key-tables.ts';

/** What all of the users, or of a partition, costs. */
const WHOLE: Readonly<Record<ExampleTable, number>> = { users: 25, notes: 6.5, events: 6.5, readings: 6.5 };
/** What times may cost more: a day on both sides, and the forms without dashes. */
const MORE_MAX = 1;

describe('keys, however a condition is written', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine(foundByKeyTables());
  });
  after(() => engine.close());

  async function run(sql: string, parameters: readonly string[] = []) {
    await engine.aws.clear();
    const { rows } = await engine.run(sql, { parameters, maxRows: 1000 });
    const requests = await engine.aws.requests();
    const scanned = await engine.runScanning(sql, { parameters, maxRows: 1000 });
    const sorted = (all: readonly unknown[]): string[] => all.map((row) => JSON.stringify(row)).sort();
    expect(sorted(rows)).to.deep.equal(sorted(scanned.rows));
    return { rows, units: requests.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0) };
  }
  const select = (name: ExampleTable, condition: string): string =>
    `SELECT * FROM shop.${name} WHERE ${BOUND[name]}(${condition})`;

  for (const { title, rows } of FOUND_CONDITIONS)
    describe(title, () => {
      for (const { table, written, like, parameters } of rows)
        it(`${written} costs what ${like} does`, async () => {
          const plain = await run(select(table, like));
          const found = await run(select(table, written), parameters);
          expect(plain.units).to.be.lessThan(WHOLE[table] / 2);
          const more = title === 'Times' && table === 'events' ? MORE_MAX : 0;
          expect(found.units).to.be.at.most(plain.units + more);
          // What the example is about is there; of the last days before today there is nothing.
          expect(found.rows.length > 0).to.equal(plain.rows.length > 0);
        });
    });

  for (const { sql, pages, words } of FOUND_STATEMENTS)
    it(`${sql} reads ${words}`, async () => {
      const { rows, units } = await run(sql);
      expect(units).to.equal(pages / 2);
      expect(rows).to.not.deep.equal([]);
    });

  for (const { table, written } of HIDDEN_CONDITIONS)
    it(`${written} reads all`, async () => {
      expect((await run(select(table, written))).units).to.equal(WHOLE[table]);
    });

  for (const sql of [
    `SELECT n FROM (SELECT COALESCE(id, '') AS key, UPPER(name) AS n FROM shop.users) AS v WHERE key = 'u17'`,
    `WITH v AS (SELECT * FROM shop.users) SELECT name FROM v WHERE (id = 'u17') IS TRUE`,
    `SELECT u.name FROM (VALUES ('Ada')) AS v(n) JOIN shop.users u ON u.name = v.n AND COALESCE(u.id, '') = 'u17'`,
  ])
    it(`subqueries and ON are read so, too: ${sql}`, async () => {
      const { rows, units } = await run(sql);
      expect([units, rows.length]).to.deep.equal([0.5, 1]);
    });

  it('a warning says of the users what would be read less', async () => {
    const { warnings } = await engine.run(select('users', `UPPER(id) = 'U17'`));
    expect(warnings).to.deep.equal([
      "shop.users: `UPPER(id) = 'U17'` does not tell which values of id to read; with `id = …`, the table would be read by its key: about 0.5 read units on average for 25",
    ]);
  });
});
