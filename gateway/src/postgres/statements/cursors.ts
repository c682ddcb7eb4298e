/** DECLARE, FETCH and MOVE. */
import { PgError } from '../errors/pg-error.ts';
import type { StatementReader } from './reader.ts';
import type { Statement } from './statement.ts';

const BACKWARD = new PgError({
  code: '55000',
  message: 'cursor can only scan forward',
  hint: 'Rows stream from one running query: FETCH NEXT, FETCH n and FETCH ALL',
});
const BINARY = new PgError({ code: '0A000', message: 'binary cursors over tables are not supported' });

export function readDeclare(reader: StatementReader): Statement {
  const cursor = reader.name();
  let refusal: PgError | null = null;
  for (;;) {
    if (reader.words('binary')) refusal = BINARY;
    else if (reader.words('scroll')) refusal = BACKWARD;
    else if (!reader.words('no', 'scroll') && !reader.words('insensitive') && !reader.words('asensitive'))
      break;
  }
  if (!reader.words('cursor')) throw reader.wrong();
  const holds = reader.words('with', 'hold');
  if (!holds) reader.words('without', 'hold');
  if (!reader.words('for') || reader.peek === undefined) throw reader.wrong();
  return { kind: 'declare', cursor, sql: reader.rest(), holds, refusal };
}

const BACKWARD_WORDS = Object.freeze(['prior', 'first', 'last', 'backward', 'absolute', 'relative']);

/** How many rows are meant; null: all; undefined where a direction is that cursors over tables do not take. */
function count(reader: StatementReader): number | null | undefined {
  if (reader.words('next')) return 1;
  if (reader.words('all')) return null;
  if (BACKWARD_WORDS.some((word) => reader.words(word))) {
    if (!reader.words('all')) skipNumber(reader);
    return undefined;
  }
  if (reader.words('forward') && reader.words('all')) return null;
  if (reader.peek?.text === '-') {
    skipNumber(reader);
    return undefined;
  }
  if (reader.peek?.kind !== 'number') return 1;
  const rows = Number(reader.peek.text);
  reader.take();
  return Number.isSafeInteger(rows) ? rows : undefined;
}

function skipNumber(reader: StatementReader): void {
  reader.symbol('-');
  if (reader.peek?.kind === 'number') reader.take();
}

export const readFetch =
  (moves: boolean) =>
  (reader: StatementReader): Statement => {
    const rows = count(reader);
    if (!reader.words('from')) reader.words('in');
    const cursor = reader.name();
    reader.end();
    return {
      kind: 'fetch',
      cursor,
      count: rows === undefined ? 0 : rows,
      moves,
      refusal: rows === undefined ? BACKWARD : null,
    };
  };
