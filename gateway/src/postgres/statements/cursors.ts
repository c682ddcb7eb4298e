/** DECLARE, FETCH and MOVE. */
import type { StatementReader } from './reader.ts';
import type { Statement } from './statement.ts';

const BACKWARD: Statement = Object.freeze({
  kind: 'refused',
  code: '55000',
  message: 'cursor can only scan forward',
  hint: 'Rows stream from one running query: FETCH NEXT, FETCH n and FETCH ALL',
});

export function readDeclare(reader: StatementReader): Statement {
  const cursor = reader.name();
  let scrolls = false;
  for (;;) {
    if (reader.words('binary'))
      return { kind: 'refused', code: '0A000', message: 'binary cursors are not supported' };
    if (reader.words('no', 'scroll') || reader.words('insensitive') || reader.words('asensitive')) continue;
    if (!reader.words('scroll')) break;
    scrolls = true;
  }
  if (!reader.words('cursor')) throw reader.wrong();
  const holds = reader.words('with', 'hold');
  if (!holds) reader.words('without', 'hold');
  if (!reader.words('for') || reader.peek === undefined) throw reader.wrong();
  return scrolls ? BACKWARD : { kind: 'declare', cursor, sql: reader.rest(), holds };
}

const BACKWARD_WORDS = Object.freeze(['prior', 'first', 'last', 'backward', 'absolute', 'relative']);

/** How many rows are meant; undefined where a direction is that cursors here do not take. */
function count(reader: StatementReader): number | null | undefined {
  if (reader.words('next')) return 1;
  if (reader.words('all')) return null;
  if (BACKWARD_WORDS.some((word) => reader.words(word))) return undefined;
  if (reader.words('forward') && reader.words('all')) return null;
  if (reader.symbol('-')) return undefined;
  if (reader.peek?.kind !== 'number') return 1;
  const rows = Number(reader.peek.text);
  if (!Number.isSafeInteger(rows)) throw reader.wrong();
  reader.take();
  return rows;
}

export const readFetch =
  (moves: boolean) =>
  (reader: StatementReader): Statement => {
    const rows = count(reader);
    if (rows === undefined) return BACKWARD;
    if (!reader.words('from')) reader.words('in');
    const cursor = reader.name();
    reader.end();
    return { kind: 'fetch', cursor, count: rows, moves };
  };
