import type { AstExpression, AstSortKey } from '../ast.ts';
import { BINDING } from '../precedence.ts';
import { next, nextUpper, take, upperAt, type Cursor } from './cursor.ts';
import { readExpression, readSortKeys } from './lists.ts';
import { endsTail } from './lookahead.ts';
import { AN_EXPRESSION, AN_OPERATOR, require, unexpected, unsupported } from './refusals.ts';

/** What belongs to a whole query, set operations and all. */
export interface Tail {
  readonly orderBy: readonly AstSortKey[];
  readonly limit: AstExpression | null;
  readonly offset: AstExpression | null;
}

/** Reads ORDER BY, LIMIT, OFFSET and FETCH FIRST. */
export function readTail(cursor: Cursor): Tail {
  let orderBy: readonly AstSortKey[] = [];
  if (take(cursor, 'ORDER')) {
    require(cursor, 'BY');
    orderBy = readSortKeys(cursor, endsTail);
  }
  // Null once it is given as ALL.
  let limit: AstExpression | null | undefined;
  let offset: AstExpression | null | undefined;
  for (;;) {
    const keyword = nextUpper(cursor);
    if (keyword !== 'LIMIT' && keyword !== 'OFFSET' && keyword !== 'FETCH') break;
    if ((keyword === 'OFFSET' ? offset : limit) !== undefined)
      throw unexpected(cursor, cursor.at, [], `${keyword} is given twice`);
    if (keyword === 'FETCH') limit = readFetch(cursor);
    else if (keyword === 'LIMIT') limit = readRows(cursor);
    else offset = readRows(cursor);
  }
  refuseLocking(cursor);
  return { orderBy, limit: limit ?? null, offset: offset ?? null };
}

/** Reads LIMIT or OFFSET; null for ALL. */
function readRows(cursor: Cursor): AstExpression | null {
  const isOffset = nextUpper(cursor) === 'OFFSET';
  cursor.at++;
  if (endsTail(cursor)) throw unexpected(cursor, cursor.at, ['a number of rows']);
  if (take(cursor, 'ALL')) {
    if (endsTail(cursor)) return null;
    throw unexpected(cursor, cursor.at - 1, AN_EXPRESSION);
  }
  if (upperAt(cursor, cursor.at + 1) === ',')
    throw unexpected(cursor, cursor.at + 1, [], 'write LIMIT … OFFSET …');
  refusePercent(cursor);
  if (isOffset && isRows(cursor) && endsTailAfter(cursor)) throw unexpected(cursor, cursor.at, AN_EXPRESSION);
  const rows = readExpression(cursor);
  if (isOffset && isRows(cursor)) cursor.at++;
  if (!endsTail(cursor)) throw unexpected(cursor, cursor.at, AN_OPERATOR);
  return rows;
}

const isRows = (cursor: Cursor): boolean => nextUpper(cursor) === 'ROW' || nextUpper(cursor) === 'ROWS';

function endsTailAfter(cursor: Cursor): boolean {
  cursor.at++;
  const ends = endsTail(cursor);
  cursor.at--;
  return ends;
}

/** `LIMIT 50 PERCENT` and `LIMIT 50 %`, which is found before a remainder is read. */
function refusePercent(cursor: Cursor): void {
  const from = cursor.at;
  while (!endsTail(cursor)) cursor.at = Math.max(cursor.at, cursor.closing[cursor.at] ?? -1) + 1;
  const last = cursor.at - 1;
  cursor.at = from;
  const upper = upperAt(cursor, last);
  if (upper === 'PERCENT' || upper === '%')
    throw unsupported(cursor, last, 'LIMIT in percent', 'give a number of rows');
}

/** Reads `FETCH FIRST 3 ROWS ONLY`; without a number it is one row, and one that is computed stands in brackets. */
function readFetch(cursor: Cursor): AstExpression {
  const { position: pos } = next(cursor);
  cursor.at++;
  if (!take(cursor, 'FIRST') && !take(cursor, 'NEXT')) throw unexpected(cursor, cursor.at, ['FIRST', 'NEXT']);
  const rows: AstExpression = isRows(cursor)
    ? { kind: 'NumberLiteral', text: '1', pos }
    : cursor.grammar.climb(cursor, BINDING.SUFFIX + 1);
  if (!isRows(cursor))
    throw unexpected(cursor, cursor.at, ['ROW', 'ROWS'], 'a number that is computed stands in brackets');
  cursor.at++;
  if (nextUpper(cursor) === 'WITH') throw unsupported(cursor, cursor.at, 'WITH TIES', 'write ONLY');
  require(cursor, 'ONLY');
  return rows;
}

function refuseLocking(cursor: Cursor): void {
  const upper = nextUpper(cursor);
  if (upper === 'FOR') {
    const what = `FOR ${upperAt(cursor, cursor.at + 1) || '…'}`;
    throw unsupported(cursor, cursor.at, what, 'queries only read');
  }
  if (upper === 'INTO') throw unsupported(cursor, cursor.at, 'INTO', 'queries only read');
  if (upper === 'USING') throw unsupported(cursor, cursor.at, 'USING SAMPLE', 'write LIMIT');
}
