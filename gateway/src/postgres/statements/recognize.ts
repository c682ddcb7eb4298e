/** Which statement a text is, by its first words: those that may name a tenant's table, and whatever else there is. */
import { PgError } from '../errors/pg-error.ts';
import { readCopy } from './copy.ts';
import { readDeclare, readFetch } from './cursors.ts';
import { readerOf, type StatementReader } from './reader.ts';
import { OTHER, type Statement } from './statement.ts';

type Read = (reader: StatementReader) => Statement;

const ANALYZED = new PgError({
  code: '0A000',
  message: 'EXPLAIN ANALYZE over tables is not supported',
  hint: 'EXPLAIN shows the plan and reads nothing; what a statement has read is told after SET client_min_messages = log',
});

const FORMATS = new PgError({
  code: '0A000',
  message: 'EXPLAIN over tables: FORMAT is text or json',
});

/** Without ANALYZE nothing is run; options that only change how much is told are taken. */
const explain: Read = (reader) => {
  let refusal: PgError | null = null;
  let format: 'text' | 'json' = 'text';
  if (reader.symbol('(')) {
    for (let token = reader.take(); token !== undefined && token.text !== ')'; token = reader.take()) {
      const value = reader.peek?.text ?? '';
      if (token.text === 'analyze' && !['off', 'false', '0'].includes(value)) refusal = ANALYZED;
      if (token.text !== 'format') continue;
      const named = value.toLowerCase();
      if (named === 'json' || named === 'text') format = named;
      else refusal = FORMATS;
    }
  } else {
    if (reader.words('analyze')) refusal = ANALYZED;
    reader.words('verbose');
  }
  if (reader.peek === undefined) throw reader.wrong();
  return { kind: 'explain', sql: reader.rest(), format, refusal };
};

const BY_PROTOCOL = new PgError({
  code: '0A000',
  message: 'PREPARE of a statement over tables is not supported',
  hint: 'prepare statements by the protocol (Parse), as drivers do',
});

const prepare: Read = (reader) => {
  reader.name();
  if (reader.peek?.text === '(') reader.parenthesized();
  if (!reader.words('as') || reader.peek === undefined) throw reader.wrong();
  return { kind: 'prepare', sql: reader.rest(), refusal: BY_PROTOCOL };
};

/** ALL, or a name. */
const named =
  (kind: 'closeCursor' | 'deallocate'): Read =>
  (reader) => {
    reader.words('prepare');
    const name = reader.words('all') ? null : reader.name();
    reader.end();
    return { kind, name };
  };

const discard: Read = (reader) =>
  reader.words('all') && reader.peek === undefined ? { kind: 'discardAll' } : OTHER;

/** By the words with which statements begin that are rows: a parenthesis is a SELECT's too. */
const SELECTS: ReadonlySet<string> = new Set(['select', 'with', 'values', 'table', 'from', '(']);

const READERS: ReadonlyMap<string, Read> = new Map([
  ['declare', readDeclare],
  ['fetch', readFetch(false)],
  ['move', readFetch(true)],
  ['close', named('closeCursor')],
  ['deallocate', named('deallocate')],
  ['discard', discard],
  ['explain', explain],
  ['prepare', prepare],
  ['copy', readCopy],
]);

/**
 * Of one statement, without its semicolon.
 *
 * @throws PgError 42601 where it may name a table and cannot be read: to PostgreSQL the table would have no rows
 */
export function recognize(sql: string): Statement {
  const reader = readerOf(sql);
  const first = reader.peek;
  if (first === undefined) return OTHER;
  if (SELECTS.has(first.text)) return { kind: 'select', sql };
  const read = first.kind === 'word' ? READERS.get(first.text) : undefined;
  if (read === undefined) return OTHER;
  reader.take();
  return read(reader);
}
