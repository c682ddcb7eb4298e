/** Which statement a text is, by its first words. What is not the session's own goes to whoever has the tables. */
import { readCopy } from './copy.ts';
import { readDeclare, readFetch } from './cursors.ts';
import { readerOf, type StatementReader } from './reader.ts';
import { refusedStatement } from './refused.ts';
import { readSet } from './set.ts';
import type { Statement } from './statement.ts';

type Read = (reader: StatementReader) => Statement;

/** `AND [NO] CHAIN` behind COMMIT and ROLLBACK. */
function chains(reader: StatementReader): boolean {
  if (reader.words('and', 'no', 'chain')) return false;
  return reader.words('and', 'chain');
}

/** WORK or TRANSACTION may follow. */
function noise(reader: StatementReader): void {
  if (!reader.words('work')) reader.words('transaction');
}

const begin =
  (tag: 'BEGIN' | 'START TRANSACTION'): Read =>
  (reader) => {
    noise(reader);
    // Isolation levels and READ ONLY: a session only reads, each statement what there is.
    for (let token = reader.peek; token !== undefined; token = reader.peek) {
      if (token.kind !== 'word' && token.text !== ',') throw reader.wrong();
      reader.take();
    }
    return { kind: 'begin', tag };
  };

const end =
  (kind: 'commit' | 'rollback'): Read =>
  (reader) => {
    noise(reader);
    const statement = { kind, chains: chains(reader) };
    reader.end();
    return statement;
  };

const named =
  (kind: 'savepoint' | 'release' | 'rollbackTo'): Read =>
  (reader) => {
    if (kind !== 'savepoint') reader.words('savepoint');
    const name = reader.name();
    reader.end();
    return { kind, name };
  };

const rollback: Read = (reader) => {
  noise(reader);
  return reader.words('to') ? named('rollbackTo')(reader) : end('rollback')(reader);
};

/** A setting's name may have two parts, and some are written as words of their own. */
function settingName(reader: StatementReader): string {
  if (reader.words('time', 'zone')) return 'timezone';
  if (reader.words('transaction', 'isolation', 'level')) return 'transaction_isolation';
  if (reader.words('session', 'authorization')) return 'session_authorization';
  const name = reader.name();
  return (reader.symbol('.') ? `${name}.${reader.name()}` : name).toLowerCase();
}

const ofSetting =
  (kind: 'show' | 'reset'): Read =>
  (reader) => {
    const name = settingName(reader);
    reader.end();
    return kind === 'show' ? { kind, name } : { kind, name: name === 'all' ? null : name };
  };

const deallocate: Read = (reader) => {
  reader.words('prepare');
  const name = reader.words('all') ? null : reader.name();
  reader.end();
  return { kind: 'deallocate', name };
};

const discard: Read = (reader) => {
  if (!['all', 'plans', 'sequences', 'temp', 'temporary'].includes(reader.peek?.text ?? ''))
    throw reader.wrong();
  const what = reader.name();
  reader.end();
  return { kind: 'discard', what };
};

const closeCursor: Read = (reader) => {
  const cursor = reader.words('all') ? null : reader.name();
  reader.end();
  return { kind: 'closeCursor', cursor };
};

const ANALYZED: Statement = Object.freeze({
  kind: 'refused',
  code: '0A000',
  message: 'EXPLAIN ANALYZE is not supported',
  hint: 'EXPLAIN shows the plan and reads nothing; what a statement has read is told after SET client_min_messages = log',
});

const NOT_AS_TEXT: Statement = Object.freeze({
  kind: 'refused',
  code: '0A000',
  message: 'EXPLAIN: FORMAT other than text is not supported',
  hint: 'the plan is lines of text',
});

/** Without ANALYZE nothing is run; options that only change how much is told are taken. */
const explain: Read = (reader) => {
  if (reader.symbol('(')) {
    for (let token = reader.take(); token !== undefined && token.text !== ')'; token = reader.take()) {
      const value = reader.peek?.text ?? '';
      if (token.text === 'analyze' && !['off', 'false'].includes(value)) return ANALYZED;
      if (token.text === 'format' && value !== 'text') return NOT_AS_TEXT;
    }
  } else {
    if (reader.words('analyze')) return ANALYZED;
    reader.words('verbose');
  }
  if (reader.peek === undefined) throw reader.wrong();
  return { kind: 'explain', sql: reader.rest() };
};

const READERS: ReadonlyMap<string, Read> = new Map([
  ['begin', begin('BEGIN')],
  ['commit', end('commit')],
  ['end', end('commit')],
  ['rollback', rollback],
  ['abort', end('rollback')],
  ['savepoint', named('savepoint')],
  ['release', named('release')],
  ['set', readSet],
  ['show', ofSetting('show')],
  ['reset', ofSetting('reset')],
  ['discard', discard],
  ['deallocate', deallocate],
  ['declare', readDeclare],
  ['fetch', readFetch(false)],
  ['move', readFetch(true)],
  ['close', closeCursor],
  ['explain', explain],
  ['copy', readCopy],
]);

/** Of one statement, without its semicolon. @throws PgError 42601 where it is one of the session's own and cannot be read */
export function recognize(sql: string): Statement {
  const reader = readerOf(sql);
  const first = reader.peek;
  if (first === undefined) return { kind: 'empty' };
  if (first.kind !== 'word') return { kind: 'select', sql };
  if (reader.words('start', 'transaction')) return begin('START TRANSACTION')(reader);
  const read = READERS.get(first.text);
  if (read === undefined) return refusedStatement(reader) ?? { kind: 'select', sql };
  reader.take();
  return read(reader);
}
