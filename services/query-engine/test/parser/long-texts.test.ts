import { expect } from 'chai';
import { meanThreadMs } from '../../../common/test/support/thread-time.ts';
import { parse } from '../../src/parser/parse.ts';
import { print } from '../../src/parser/print.ts';
import { refusalOf } from './refusal.ts';

const list = (count: number, one: (i: number) => string, separator = ', '): string =>
  Array.from({ length: Math.floor(count) }, (_, i) => one(i)).join(separator);

/** Texts of close to 10,000 tokens, or of a share of them. */
const families: Readonly<Record<string, (share: number) => string>> = {
  conjuncts: (share) => `SELECT id FROM t WHERE ${list(2_400 * share, (i) => `a${i} = ${i}`, ' AND ')}`,
  'branches of CASE': (share) => `SELECT CASE ${list(2_400 * share, (i) => `WHEN a${i} THEN ${i}`, ' ')} END`,
  parentheses: (share) => `SELECT ${list(50 * share, () => `${'('.repeat(98)}1${')'.repeat(98)}`)}`,
  'items of SELECT': (share) => `SELECT ${list(3_300 * share, (i) => `a${i} b${i}`)} FROM t`,
  'values of IN': (share) => `SELECT 1 FROM t WHERE a IN (${list(4_900 * share, String)})`,
  SELECTs: (share) =>
    list(248 * share, (i) => `SELECT a${i}, ${list(16, (j) => `b${j}`)} FROM t`, ' UNION ALL '),
  'operators in chains': (share) => `SELECT ${list(14 * share, () => list(350, (i) => `a${i}`, ' || '))}`,
  calls: (share) => `SELECT ${list(1_400 * share, (i) => `f(a${i}, 1)`)}`,
  'subqueries inside each other': (share) =>
    `SELECT ${'(SELECT a + '.repeat(90 * share)}${list(4_600 * share, String)}${' FROM t)'.repeat(90 * share)}`,
  'strings and comments': (share) => `SELECT ${list(4_400 * share, () => `/* */'s' --\n`)}`,
  lines: (share) => `SELECT\n${list(4_900 * share, (i) => `a${i}\n`)}`,
  'uses of a window': (share) =>
    `SELECT ${list(1_600 * share, () => `f() OVER w`)} FROM t WINDOW w AS (ORDER BY a, b)`,
};

/** Milliseconds of CPU that a text takes, compiled code and all. */
function parseMs(sql: string): number {
  for (let times = 0; times < 3; times++) parse(sql);
  return meanThreadMs(() => parse(sql));
}

describe('long texts', () => {
  for (const [what, text] of Object.entries(families)) {
    it(`of ${what} are parsed at once, in time linear in their tokens`, () => {
      const [whole, quarter] = [parseMs(text(1)), parseMs(text(0.25))];
      const shown = `${whole.toFixed(1)} and ${quarter.toFixed(1)} ms`;
      // 2 to 8 milliseconds where it was written, 80 to 500 before. Four times as long is the least; the square is 16.
      expect(whole, shown).to.be.below(75);
      expect(whole / quarter, shown).to.be.below(9);
    });
  }

  it('are refused by their levels where these add up, not by the end of the stack', () => {
    for (const prefixes of ['NOT '.repeat(90), '- '.repeat(90)]) {
      const { message } = refusalOf(`SELECT ${`${prefixes}(`.repeat(99)}1${')'.repeat(99)}`);
      expect(message).to.equal('Unsupported SQL: an expression deeper than 700 levels');
    }
    const operators = '1 OR 1 AND 1 = 1 || 1 + 1 * 1 ^ ';
    expect(print(parse(`SELECT ${`${operators}f(`.repeat(60)}1${')'.repeat(60)}`))).to.have.length.above(
      2_000,
    );
  });
});
