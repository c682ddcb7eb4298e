/**
 * Which words are names as they stand, by DuckDB's own list of keywords. A run takes half of the words in each place, and a run
 * with the next seed the others; the long lane all.
 */
import { expect } from 'chai';
import { IS_LONG, isChosen, SEED_SHOWN } from '../../../common/test/support/random-budget.ts';
import { crossCheck, type SerializeSql } from '../../src/parser/cross-check.ts';
import { SqlSyntaxError } from '../../src/parser/errors.ts';
import { parse } from '../../src/parser/parse.ts';
import { DUCKDB_KEYWORDS } from './duckdb-keywords.ts';
import { openSerializer } from './duckdb-serializer.ts';

/** Statements with a word wherever a name may stand. */
const PLACES: Readonly<Record<string, (word: string) => string>> = {
  'a column': (word) => `SELECT ${word}, -${word} + 1, upper(${word}), ${word}.x FROM s.t WHERE ${word} = 1 AND NOT ${word} IN (2) GROUP BY ${word} ORDER BY ${word} DESC`,
  'a column of a table': (word) => `SELECT t.${word}, t.a.${word}[0] FROM s.t WHERE t.${word} IS NULL`,
  'an alias': (word) => `SELECT a AS ${word}, b FROM s.t`,
  'a table': (word) => `SELECT ${word}.a FROM s.${word} JOIN s.u AS v USING (${word})`,
  'an alias of a table': (word) => `SELECT ${word}.* FROM s.t ${word} CROSS JOIN s.t AS u`,
  'a common table expression': (word) => `WITH ${word} (a, ${word}) AS (SELECT 1, 2) SELECT a FROM ${word}`,
}; // oxfmt-ignore

/** Words that mean more here than to DuckDB: what it takes for a name would hide a mistake. */
const REFUSED: ReadonlySet<string> = new Set([
  ...['a column default', 'an alias as', 'a column of a table as'],
  ...['a common table expression recursive'],
]);

/** Of this run, in one of the places. */
const wordsFor = (place: number): readonly string[] =>
  DUCKDB_KEYWORDS.filter((_, i) => isChosen(2, place + i));

describe(`keywords (${SEED_SHOWN})`, () => {
  let serialize: SerializeSql;
  let close: () => void;
  before(async () => ({ serialize, close } = await openSerializer()));
  after(() => close());

  for (const [i, [place, statement]] of Object.entries(PLACES).entries()) {
    it(`name ${place} without quotes wherever DuckDB takes them for a name`, async () => {
      const wrong: string[] = [];
      for (const word of wordsFor(i)) {
        const sql = statement(word);
        const tree = JSON.parse(await serialize(sql)) as { readonly error: boolean };
        if (tree.error || REFUSED.has(`${place} ${word}`)) continue;
        const outcome = await crossCheck(sql, parse(sql), serialize);
        if (outcome.kind !== 'Agreed') wrong.push(word);
      }
      expect(wrong).to.deep.equal([]);
    }).timeout(20_000);
  }

  it('that only DuckDB reserves name columns where a value is expected', async () => {
    for (const word of ['at', 'by', 'show', 'describe', 'summarize', 'pivot', 'glob']) {
      const sql = `SELECT ${word}, ${word} + 1 FROM s.t JOIN s.u USING (${word}) WHERE (${word}) = 1 ORDER BY ${word}`;
      expect(await crossCheck(sql, parse(sql), serialize), word).to.deep.equal({ kind: 'Agreed' });
    }
  });
});

describe(`calls named by keywords (${SEED_SHOWN})`, () => {
  let serialize: SerializeSql;
  let close: () => void;
  before(async () => ({ serialize, close } = await openSerializer()));
  after(() => close());

  it('are refused by our parser, or DuckDB reads them as we do', async () => {
    const calls = wordsFor(0).flatMap((word) => ['()', '(a)', "('a', 'b')"].map((list) => word + list));
    const read = calls.flatMap((call) => {
      const sql = `SELECT ${call} FROM s.t`;
      try {
        return [{ sql, query: parse(sql) }];
      } catch (error) {
        expect(error, sql).to.be.instanceOf(SqlSyntaxError);
        return [];
      }
    });
    const wrong: string[] = [];
    for (const { sql, query } of read)
      if ((await crossCheck(sql, query, serialize)).kind !== 'Agreed') wrong.push(sql);
    expect(wrong).to.deep.equal([]);
    expect(read.length).to.be.above(IS_LONG ? 1_000 : 400);
  });

  it('are types where a type stands', async () => {
    for (const sql of [
      "SELECT CHAR(65), 'x'::CHAR(3), CAST('x' AS CHAR(3)) FROM s.t",
      'SELECT t.char FROM s.t',
    ])
      expect((await crossCheck(sql, parse(sql), serialize)).kind, sql).to.equal('Agreed');
  });
});
