import { expect } from 'chai';
import { budgetOf, SEED, SEED_SHOWN } from '../../../common/test/support/random-budget.ts';
import { threadMs } from '../../../common/test/support/thread-time.ts';
import { SqlSyntaxError } from '../../src/parser/errors.ts';
import { parse } from '../../src/parser/parse.ts';
import { print } from '../../src/parser/print.ts';
import { randomFrom } from './sql-generator.ts';
import { statements } from './statements.ts';

const SNIPPETS = [
  ...[
    "'",
    '"',
    '(',
    ')',
    '[',
    ']',
    '{',
    ',',
    '.',
    ';',
    '--',
    '/*',
    '*/',
    '`',
    '$$',
    ':',
    '::',
    '?',
    '\\',
    '\0',
    '\u2028',
  ],
  ...[
    'SELECT',
    'FROM',
    'WHERE',
    'AND',
    'NOT',
    'IN',
    'CASE',
    'END',
    'AS',
    'UNION',
    'ORDER BY',
    'LIMIT',
    'OVER',
    'JOIN',
  ],
  ...[
    'WITH',
    'VALUES',
    'BETWEEN',
    'LIKE',
    'ESCAPE',
    'IS',
    'NULL',
    'DISTINCT',
    'q0',
    'q1',
    '__proto__',
    'constructor',
  ],
  ...[
    '1',
    '1e',
    '.',
    '..',
    '0x',
    '😀',
    '\ud800',
    '*',
    '-',
    '+',
    '^',
    '||',
    'ROWS',
    'FILTER',
    'WITHIN GROUP',
    'ROLLUP',
  ],
];
/** One statement may take this much of a processor. */
const MILLISECONDS_MAX = 1_500;

/** Of 10,000 statements each. */
const PARTS = budgetOf({ short: 1, long: 2 });

describe('mutated statements', () => {
  for (let part = 0; part < PARTS; part++) {
    it(`are parsed or refused, never failed on, and never slowly (${SEED_SHOWN}, part ${part + 1})`, function () {
      this.timeout(60_000);
      const random = randomFrom(SEED + part);
      const at = (length: number): number => Math.floor(random() * (length + 1));
      const mutate = (sql: string): string => {
        const from = at(sql.length);
        const choice = random();
        if (choice < 0.35)
          return `${sql.slice(0, from)} ${SNIPPETS[at(SNIPPETS.length - 1)]} ${sql.slice(from)}`;
        if (choice < 0.5)
          return sql.slice(0, from) + String(SNIPPETS[at(SNIPPETS.length - 1)]) + sql.slice(from);
        if (choice < 0.75) return sql.slice(0, from) + sql.slice(from + at(8));
        const piece = sql.slice(from, from + at(20));
        const to = at(sql.length);
        return sql.slice(0, to) + piece + sql.slice(to);
      };
      let accepted = 0;
      for (let round = 0; round < 10_000; round++) {
        let sql = statements[at(statements.length - 1)]?.sql ?? '';
        for (let count = 1 + at(3); count > 0; count--) sql = mutate(sql);
        const before = threadMs();
        try {
          const printed = print(parse(sql));
          accepted++;
          expect(print(parse(printed)), sql).to.equal(printed);
        } catch (error) {
          if (!(error instanceof SqlSyntaxError))
            throw new Error(`failed on ${JSON.stringify(sql)}`, { cause: error });
          expect(error.detail, sql).to.match(/ at line \d+, column \d+: /);
        }
        expect(threadMs() - before, sql).to.be.below(MILLISECONDS_MAX);
      }
      expect(accepted).to.be.greaterThan(500);
    });
  }

  it('of many equal tokens end within the bound too', () => {
    for (const piece of [
      '(',
      '$',
      "'",
      '"',
      '/*',
      '- ',
      '~',
      'NOT ',
      'CASE ',
      '[',
      'a.',
      'a ',
      '1',
      '::a',
      '*',
      ',',
      ';',
      ' ',
      '\n',
      '𝒳',
      "E'",
      '$a',
    ]) {
      const before = threadMs();
      expect(
        () => parse(`SELECT ${piece.repeat(Math.floor(60_000 / Buffer.byteLength(piece)))}`),
        piece,
      ).to.satisfy((run: () => unknown) => {
        try {
          run();
          return true;
        } catch (error) {
          return error instanceof SqlSyntaxError;
        }
      });
      expect(threadMs() - before, piece).to.be.below(MILLISECONDS_MAX);
    }
  });
});
