import { expect } from 'chai';
import { PgError } from '../../src/postgres/errors/pg-error.ts';
import { parameterCount, splitStatements } from '../../src/postgres/statements/lexer.ts';
import { recognize } from '../../src/postgres/statements/recognize.ts';
import { createSettings } from '../../src/postgres/session/settings.ts';

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

  it('of the session are read, the others left to who has the tables', () => {
    for (const [sql, expected] of [
      ['SELECT 1', { kind: 'select' }],
      ['WITH a AS (SELECT 1) TABLE a', { kind: 'select' }],
      ['start transaction isolation level serializable, read only', { kind: 'begin' }],
      ['COMMIT AND CHAIN', { kind: 'commit', chains: true }],
      ['rollback to savepoint "A b"', { kind: 'rollbackTo', name: 'A b' }],
      ["SET LOCAL statement_timeout TO '2s'", { kind: 'set', value: '2s', isLocal: true }],
      ["set time zone 'UTC'", { kind: 'set', name: 'timezone', value: 'UTC' }],
      ['SET search_path = shop, "My Schema"', { kind: 'set', value: 'shop, "My Schema"' }],
      ['SHOW TRANSACTION ISOLATION LEVEL', { kind: 'show', name: 'transaction_isolation' }],
      [
        'DECLARE c NO SCROLL CURSOR WITH HOLD FOR SELECT 1',
        { kind: 'declare', holds: true, sql: 'SELECT 1' },
      ],
      ['FETCH FORWARD 5 FROM c', { kind: 'fetch', count: 5, moves: false }],
      ['FETCH ALL c', { kind: 'fetch', count: null }],
      ['FETCH BACKWARD 5 FROM c', { kind: 'refused', code: '55000' }],
      ['MOVE 3 IN c', { kind: 'fetch', count: 3, moves: true }],
      ['EXPLAIN (VERBOSE, COSTS off) SELECT 1', { kind: 'explain', sql: 'SELECT 1' }],
      ['EXPLAIN ANALYZE SELECT 1', { kind: 'refused', code: '0A000' }],
      ['EXPLAIN (FORMAT text) SELECT 1', { kind: 'explain', sql: 'SELECT 1' }],
      ['EXPLAIN (COSTS off, FORMAT JSON) SELECT 1', { kind: 'refused', code: '0A000' }],
      ['copy (select ")" from t) to stdout csv header', { kind: 'copyOut', sql: 'select ")" from t' }],
      [
        "COPY a.b (x, y) TO STDOUT (FORMAT csv, DELIMITER ';')",
        { kind: 'copyOut', sql: 'SELECT x, y FROM a.b' },
      ],
      ['COPY a FROM STDIN', { kind: 'refused', code: '25006' }],
      ["COPY a TO '/etc/passwd'", { kind: 'refused', code: '0A000' }],
      ['DELETE FROM a', { kind: 'refused', code: '25006' }],
      ['CREATE TEMP TABLE a (b int)', { kind: 'refused', code: '25006' }],
      ['LISTEN a', { kind: 'refused', code: '0A000' }],
      ['DISCARD ALL', { kind: 'discard', what: 'all' }],
      ['DEALLOCATE PREPARE ALL', { kind: 'deallocate', name: null }],
    ] as const)
      expect(recognize(sql), sql).to.deep.include(expected);
  });

  it('of the session that cannot be read say where, in characters', () => {
    try {
      recognize('SET "é😀" = = \'x\'');
      expect.fail('it was read');
    } catch (error) {
      expect(error).to.be.instanceOf(PgError);
      expect((error as PgError).fields).to.include({ code: '42601', position: 12 });
    }
  });
});

describe("a session's settings", () => {
  it('are told once, and again when they change', () => {
    const settings = createSettings('me');
    expect(new Map(settings.changes()).get('client_encoding')).to.equal('UTF8');
    expect(settings.changes()).to.deep.equal([]);
    settings.set('application_name', 'x');
    expect(settings.changes()).to.deep.equal([['application_name', 'x']]);
  });

  it('refuse what they cannot be, by name', () => {
    const settings = createSettings('me');
    const codeOf = (name: string, value: string): string => {
      try {
        settings.set(name, value);
      } catch (error) {
        return error instanceof PgError ? error.fields.code : '';
      }
      return 'taken';
    };
    expect(codeOf('statement_timeout', 'soon')).to.equal('22023');
    expect(codeOf('client_encoding', 'LATIN1')).to.equal('22023');
    expect(codeOf('client_encoding', 'SQL_ASCII')).to.equal('taken');
    expect(codeOf('server_version', '9')).to.equal('55P02');
    expect(codeOf('nothing_like_it', '1')).to.equal('42704');
    expect(codeOf('default_transaction_read_only', 'off')).to.equal('25006');
    expect(codeOf('enable_seqscan', 'off')).to.equal('taken');
    expect(codeOf('penstock.max_read_units', 'many')).to.equal('22023');
    expect(settings.maxReadUnits()).to.equal(null);
    expect(codeOf('penstock.max_read_units', '2.5')).to.equal('taken');
    expect(settings.maxReadUnits()).to.equal(2.5);
    expect(codeOf('penstock.late_attributes', 'maybe')).to.equal('22023');
    expect(settings.refusesLate()).to.equal(false);
    expect(codeOf('penstock.late_attributes', 'error')).to.equal('taken');
    expect(settings.refusesLate()).to.equal(true);
  });

  it('read a timeout in its units, and a path with its quotes', () => {
    const settings = createSettings('me');
    settings.set('statement_timeout', '2s');
    expect([settings.get('statement_timeout'), settings.statementTimeoutMs()]).to.deep.equal(['2s', 2000]);
    settings.set('statement_timeout', '0');
    expect(settings.statementTimeoutMs()).to.equal(null);
    expect(settings.searchPath()).to.deep.equal([]);
    settings.set('search_path', '"$user", Shop, "My, Schema", pg_catalog');
    expect(settings.searchPath()).to.deep.equal(['shop', 'My, Schema']);
  });

  it('are bounded in number', () => {
    const settings = createSettings('me');
    expect(() => {
      for (let i = 0; i < 10_000; i++) settings.set(`a.b${i}`, 'x');
    }).to.throw('too many settings');
  });
});
