import { expect } from 'chai';
import { PgError } from '../../src/postgres/errors/pg-error.ts';
import { parameterCount, splitStatements } from '../../src/postgres/statements/lexer.ts';
import { recognize } from '../../src/postgres/statements/recognize.ts';

describe('statements of PostgreSQL clients', () => {
  it('end at semicolons that are none of a text, a name or a comment', () => {
    const pieces = splitStatements(
      `SELECT ';' ; ; SELECT "a;b" /* ; /* ; */ */ -- ;\n ; SELECT $x$ ; $x$; SELECT E'\\';'`,
    );
    expect(pieces.map(({ sql }) => sql)).to.deep.equal([
      ...[`SELECT ';'`, `SELECT "a;b"`, 'SELECT $x$ ; $x$', `SELECT E'\\';'`],
    ]);
    expect(splitStatements(' -- nothing\n ;')).to.deep.equal([]);
  });

  it('have as many parameters as the highest number says', () => {
    expect(parameterCount(`SELECT $2, '$9', "$8" /* $7 */`)).to.equal(2);
  });

  it('that may name a table are read, the others left to PostgreSQL', () => {
    for (const [sql, expected] of [
      ['SELECT 1', { kind: 'select' }],
      ['(SELECT 1) UNION SELECT 2', { kind: 'select', sql: '(SELECT 1) UNION SELECT 2' }],
      ['WITH a AS (SELECT 1) TABLE a', { kind: 'select' }],
      ['TABLE a', { kind: 'select' }],
      ["SET LOCAL statement_timeout TO '2s'", { kind: 'other' }],
      ['start transaction isolation level serializable, read only', { kind: 'other' }],
      ['DELETE FROM a', { kind: 'other' }],
      ['', { kind: 'other' }],
      [
        'DECLARE c NO SCROLL CURSOR WITH HOLD FOR SELECT 1',
        { kind: 'declare', holds: true, sql: 'SELECT 1', refusal: null },
      ],
      ['FETCH FORWARD 5 FROM c', { kind: 'fetch', count: 5, moves: false, refusal: null }],
      ['FETCH ALL c', { kind: 'fetch', count: null }],
      ['MOVE 3 IN c', { kind: 'fetch', count: 3, moves: true }],
      ['CLOSE "A b"', { kind: 'closeCursor', name: 'A b' }],
      ['CLOSE ALL', { kind: 'closeCursor', name: null }],
      ['EXPLAIN (VERBOSE, COSTS off) SELECT 1', { kind: 'explain', sql: 'SELECT 1', format: 'text' }],
      ['EXPLAIN (COSTS off, FORMAT JSON) SELECT 1', { kind: 'explain', format: 'json', refusal: null }],
      ['PREPARE p (numeric(3, 2)) AS SELECT $1 FROM a', { kind: 'prepare', sql: 'SELECT $1 FROM a' }],
      ['copy (select ")" from t) to stdout csv header', { kind: 'copyOut', sql: 'select ")" from t' }],
      [
        "COPY a.b (x, y) TO STDOUT (FORMAT csv, DELIMITER ';')",
        { kind: 'copyOut', sql: 'SELECT x, y FROM a.b', refusal: null },
      ],
      ['COPY BINARY shop.orders TO STDOUT', { kind: 'copyOut', sql: 'SELECT * FROM shop.orders' }],
      ['COPY a FROM STDIN', { kind: 'other' }],
      ['DISCARD ALL', { kind: 'discardAll' }],
      ['DISCARD PLANS', { kind: 'other' }],
      ['DEALLOCATE PREPARE ALL', { kind: 'deallocate', name: null }],
    ] as const)
      expect(recognize(sql), sql).to.deep.include(expected);
  });

  it('of which tables have only a part say what they have not', () => {
    for (const [sql, code] of [
      ['FETCH BACKWARD 5 FROM c', '55000'],
      ['FETCH -1 FROM c', '55000'],
      ['MOVE ABSOLUTE 3 IN c', '55000'],
      ['DECLARE c SCROLL CURSOR FOR SELECT 1', '55000'],
      ['DECLARE c BINARY CURSOR FOR SELECT 1', '0A000'],
      ['EXPLAIN ANALYZE SELECT 1', '0A000'],
      ['EXPLAIN (FORMAT xml) SELECT 1', '0A000'],
      ['PREPARE p AS SELECT 1', '0A000'],
      ["COPY a TO '/etc/passwd'", '0A000'],
      ['COPY a TO STDOUT (FORMAT parquet)', '0A000'],
    ] as const) {
      const statement = recognize(sql);
      const refusal = 'refusal' in statement ? statement.refusal : null;
      expect(refusal?.fields.code, sql).to.equal(code);
    }
  });

  it('that may name a table and cannot be read go to nobody, and say where, in characters', () => {
    for (const [sql, position] of [
      ['DECLARE "é😀" = CURSOR', 14],
      ['COPY shop.orders orders TO STDOUT', 18],
      ['EXPLAIN', 8],
      ['PREPARE p SELECT 1', 11],
      ['FETCH 5 FROM c d', 16],
    ] as const)
      try {
        recognize(sql);
        expect.fail(`${sql} was read`);
      } catch (error) {
        expect(error, sql).to.be.instanceOf(PgError);
        expect((error as PgError).fields, sql).to.include({ code: '42601', position });
      }
  });
});
