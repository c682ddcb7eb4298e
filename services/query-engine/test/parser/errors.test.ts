import { expect } from 'chai';
import { refusalOf } from './refusal.ts';

/** Statement, message, detail. */
const golden: readonly (readonly [string, string, string])[] = [
  [
    'SELECT id FORM orders',
    "Parse error: unexpected 'FORM'",
    "Parse error at line 1, column 11: unexpected 'FORM'; did you mean FROM?\nSELECT id FORM orders\n          ^",
  ],
  [
    'SELECT id,\n  name\nFROM orders\nWHER id = 1',
    "Parse error: unexpected 'WHER'",
    "Parse error at line 4, column 1: unexpected 'WHER'; did you mean WHERE?\nWHER id = 1\n^",
  ],
  [
    'SELECT id FROM orders ODER BY id',
    "Parse error: unexpected 'ODER'",
    "Parse error at line 1, column 23: unexpected 'ODER'; did you mean ORDER?\nSELECT id FROM orders ODER BY id\n                      ^",
  ],
  [
    'SELECT id\r\n\tFROM t WHERE',
    'Parse error: unexpected end of the query',
    'Parse error at line 2, column 14: unexpected end of the query; expected an expression\n\tFROM t WHERE\n\t            ^',
  ],
  [
    'SELECT a, FROM t',
    "Parse error: unexpected 'FROM'",
    "Parse error at line 1, column 11: unexpected 'FROM'; expected an expression\nSELECT a, FROM t\n          ^",
  ],
  [
    'SELECT (a + b FROM t',
    "Parse error: unclosed '('",
    "Parse error at line 1, column 8: unclosed '('; ')' is missing\nSELECT (a + b FROM t\n       ^",
  ],
  [
    "SELECT '😀' || 'abc",
    'Parse error: unterminated string',
    "Parse error at line 1, column 16: unterminated string; its closing quote is missing\nSELECT '😀' || 'abc\n              ^",
  ],
  [
    'SELECT \'a\'\nFROM "t\0"',
    'Parse error: a NUL character',
    'Parse error at line 2, column 8: a NUL character; a statement has none, nor has a text or a name in it\nFROM "t\0"\n       ^',
  ],
  [
    'SELECT a FROM t GROUP a',
    "Parse error: unexpected 'a'",
    "Parse error at line 1, column 23: unexpected 'a'; expected BY\nSELECT a FROM t GROUP a\n                      ^",
  ],
  [
    'SELECT a WHERE a = 1 FROM t',
    "Parse error: unexpected 'FROM'",
    "Parse error at line 1, column 22: unexpected 'FROM'; this clause stands too late or twice\nSELECT a WHERE a = 1 FROM t\n                     ^",
  ],
  [
    'SELECT CASE WHEN a ELSE b END',
    "Parse error: unexpected 'ELSE'",
    "Parse error at line 1, column 20: unexpected 'ELSE'\nSELECT CASE WHEN a ELSE b END\n                   ^",
  ],
  [
    'SELECT id FROM t1 ORDER BY id UNION SELECT 1',
    "Parse error: unexpected 'UNION'",
    "Parse error at line 1, column 31: unexpected 'UNION'; ORDER BY and LIMIT before it need parentheses\nSELECT id FROM t1 ORDER BY id UNION SELECT 1\n                              ^",
  ],
  [
    '',
    'Parse error: the query is empty',
    'Parse error at line 1, column 1: the query is empty; expected SELECT or WITH\n\n^',
  ],
  [
    '  INSERT INTO t VALUES (1)',
    'Unsupported SQL: INSERT',
    'Unsupported SQL at line 1, column 3: INSERT; only SELECT is supported\n  INSERT INTO t VALUES (1)\n  ^',
  ],
  [
    'WITH x AS (SELECT 1)\nDELETE FROM t',
    'Unsupported SQL: DELETE',
    'Unsupported SQL at line 2, column 1: DELETE; only SELECT is supported\nDELETE FROM t\n^',
  ],
  [
    'EXPLAIN SELECT 1',
    'Unsupported SQL: EXPLAIN',
    'Unsupported SQL at line 1, column 1: EXPLAIN; only SELECT is supported: send the SELECT alone, with the mode "plan", which shows what it would read\nEXPLAIN SELECT 1\n^',
  ],
  [
    '```sql\nSELECT 1\n```',
    "Parse error: unexpected '```'",
    "Parse error at line 1, column 1: unexpected '```'; send the statement without the ``` around it\n```sql\n^",
  ],
  [
    'SELECT 1 FROM t FOR UPDATE',
    'Unsupported SQL: FOR UPDATE',
    'Unsupported SQL at line 1, column 17: FOR UPDATE; queries only read\nSELECT 1 FROM t FOR UPDATE\n                ^',
  ],
  [
    'SELECT sum(x) OVER w FROM t',
    "Parse error: window 'w' is not defined",
    "Parse error at line 1, column 20: window 'w' is not defined\nSELECT sum(x) OVER w FROM t\n                   ^",
  ],
];

describe('errors of the parser', () => {
  for (const [sql, message, detail] of golden) {
    it(`say what is wrong, where, and what to do: ${JSON.stringify(sql)}`, () => {
      const error = refusalOf(sql);
      expect(error.message).to.equal(message);
      expect(error.detail).to.equal(detail);
      expect(error.kind).to.equal(message.startsWith('Parse') ? 'parse' : 'unsupported');
    });
  }

  it('carry the position as offset, line and column', () => {
    expect(refusalOf('SELECT a\nFROM t,').position).to.deep.equal({ offset: 16, line: 2, column: 8 });
    expect(refusalOf('SELECT 😀 FROM').position).to.deep.equal({ offset: 14, line: 1, column: 15 });
  });

  it('name every other statement', () => {
    for (const word of [
      'UPDATE',
      'DELETE',
      'MERGE',
      'CREATE',
      'DROP',
      'ALTER',
      'TRUNCATE',
      'COPY',
      'PRAGMA',
      'EXPLAIN',
    ]) {
      expect(refusalOf(`${word.toLowerCase()} x`).message).to.equal(`Unsupported SQL: ${word}`);
    }
  });

  it('quote only the part around the place of a long line', () => {
    const { detail } = refusalOf(`SELECT ${'a, '.repeat(500)} FROM t`);
    const [, line = '', caret = ''] = detail.split('\n');
    expect(line.length).to.be.at.most(122);
    expect(line.slice(caret.length - 1)).to.match(/^FROM t$/);
  });

  it('do not guess keywords for words that are none', () => {
    expect(refusalOf('SELECT a FROM o p q').detail).to.match(
      /unexpected 'q'; expected JOIN, ',', WHERE, GROUP BY or ORDER BY\n/,
    );
  });
});
