import type { AstSelectItem, Identifier } from '../ast.ts';
import { next, take, tokenAt, upperAt, nextUpper, type Cursor } from './cursor.ts';
import { readExpression } from './lists.ts';
import { endsClause, isName } from './lookahead.ts';
import { readIdentifier, requireNameAfterAs } from './names.ts';
import { unexpected } from './refusals.ts';
import { readStar } from './stars.ts';

/** Reads the list of SELECT. */
export function readSelectItems(cursor: Cursor): readonly AstSelectItem[] {
  const items = [readItem(cursor)];
  while (take(cursor, ',')) items.push(readItem(cursor));
  return items;
}

function readItem(cursor: Cursor): AstSelectItem {
  const item = startsStar(cursor) ? readStar(cursor) : readExpressionItem(cursor);
  if (nextUpper(cursor) !== ',' && !endsClause(cursor)) throw unexpected(cursor, cursor.at, ["','", 'FROM']);
  return item;
}

/** Whether `*`, `t.*` or `s.t.*` is next. */
function startsStar(cursor: Cursor): boolean {
  let { at } = cursor;
  while (upperAt(cursor, at + 1) === '.' && isName(cursor, at)) at += 2;
  return upperAt(cursor, at) === '*';
}

function readExpressionItem(cursor: Cursor): AstSelectItem {
  const { position: pos } = next(cursor);
  const expression = readExpression(cursor);
  const { end } = tokenAt(cursor, cursor.at - 1);
  const text = cursor.sql.slice(pos.offset, end);
  return { kind: 'Expression', expression, alias: readAlias(cursor), text, pos };
}

function readAlias(cursor: Cursor): Identifier | null {
  if (take(cursor, 'AS')) return requireNameAfterAs(cursor);
  if (isName(cursor, cursor.at)) return readIdentifier(cursor);
  if (nextUpper(cursor) === ',' || endsClause(cursor)) return null;
  throw unexpected(cursor, cursor.at, ["','", 'FROM', 'an operator']);
}
