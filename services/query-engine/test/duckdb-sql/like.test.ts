import { expect } from 'chai';
import { SEED, SEED_SHOWN } from '../../../common/test/support/random-budget.ts';
import { seededRandom } from '../dynamodb/random.ts';
import { openSession, type Session } from '../../src/execution/session/session.ts';
import type { Database } from '../../src/execution/session/database.ts';
import { TEXT, type Typed } from '../../src/duckdb-sql/types/sql-type.ts';
import { writeLike } from '../../src/duckdb-sql/like.ts';
import { quoteText } from '../../src/duckdb-sql/literal.ts';
import { regexStates } from '../../src/duckdb-sql/regex-cost.ts';
import { WIDEST } from '../../src/duckdb-sql/text-budget.ts';
import { testDatabase } from '../execution/tables.ts';

const typed = (sql: string): Typed => ({ sql, type: TEXT });
const ALPHABET = ['a', 'B', 'b', '%', '%', '_', '.', '\\', '(', '*', '!', 'é', 'É', '\n', "'"];

describe('LIKE', () => {
  let database: Database;
  let session: Session;
  before(async () => {
    database = testDatabase();
    const { signal } = new AbortController();
    session = await openSession(database, { signal, columnNames: new Map() });
  });
  after(async () => {
    session.close();
    await database.close();
  });

  it(`matches what DuckDB's own matches, by constants and computed patterns, of either case (${SEED_SHOWN})`, async () => {
    const chance = seededRandom(SEED);
    const random = (below: number): number => chance.int(below);
    const text = (): string =>
      Array.from({ length: random(6) }, () => ALPHABET[random(ALPHABET.length)]).join('');
    const checks = Array.from({ length: 400 }, () => {
      const [t, p, i] = [quoteText(text()), quoteText(text()), random(2) === 1];
      const own = `${t} ${i ? 'ILIKE' : 'LIKE'} ${p}`;
      const constant = writeLike(typed(t), typed(p), null, i, WIDEST);
      const computed = writeLike(typed('c1'), typed('c2'), null, i, WIDEST);
      const inRow = `(SELECT ${computed} FROM (VALUES (${t}, ${p})) v(c1, c2))`;
      return `SELECT ${quoteText(own)}, ${own}, ${constant}, ${inRow}`;
    });
    const rows = await session.rows(checks.join(' UNION ALL '));
    expect(rows).to.have.length(checks.length);
    expect(rows.filter(([, own]) => own === true).length).to.be.above(5);
    expect(rows.filter(([, own, constant, computed]) => own !== constant || own !== computed)).to.deep.equal(
      [],
    );
  });

  it('knows an escape character, also before a pattern that is computed', async () => {
    const like = (t: string, p: string): string => writeLike(typed(t), typed(p), typed("'!'"), false, WIDEST);
    const [row] = await session.rows(
      `SELECT ${like("'5%'", "'5!%'")}, ${like("'55'", "'5!%'")}, ${like("'a_!b'", "'%!_!!_'")}, ` +
        `(SELECT ${like('c1', 'c2')} FROM (VALUES ('50%', '%0!%')) v(c1, c2))`,
    );
    expect(row).to.deep.equal([true, false, true, true]);
  });

  it('takes time by the length of the text, however many % there are', async () => {
    const started = Date.now();
    const pattern = quoteText(`${'%a_'.repeat(12)}%b_`);
    const constant = writeLike(typed('c1'), typed(pattern), null, false, WIDEST);
    const computed = writeLike(typed('c1'), typed('c2'), null, false, WIDEST);
    const sql =
      `SELECT count(*) FILTER (${constant}), count(*) FILTER (${computed}) ` +
      `FROM (SELECT repeat('a', 2000) || x AS c1, ${pattern} AS c2 FROM range(20) t(x)) v`;
    expect(await session.rows(sql)).to.deep.equal([[0n, 0n]]);
    expect(Date.now() - started).to.be.below(5_000);
  });

  it('counts the states of regular expressions', () => {
    for (const [pattern, states] of [
      ['abc', 3],
      ['(ab){3}', 9],
      ['((a{10}){10}){10}', 1110],
      ['[a-z]+@', 13],
      ['a\\{2}', 2],
    ] as const)
      expect(regexStates(pattern), pattern).to.be.within(states, states * 2);
  });
});
