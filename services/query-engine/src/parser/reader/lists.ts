import type { AstExpression, AstQuery, AstSortKey } from '../ast.ts';
import { BINDING } from '../precedence.ts';
import { next, nextUpper, take, upperAt, type Cursor } from './cursor.ts';
import { AN_OPERATOR, refuse, require, requireCloser, unexpected, unsupported } from './refusals.ts';

/** Reads a whole expression. */
export function readExpression(cursor: Cursor): AstExpression {
  const outer = cursor.prefixes.inExpression;
  cursor.prefixes.inExpression = 0;
  const expression = cursor.grammar.climb(cursor, BINDING.ANY);
  cursor.prefixes.inExpression = outer;
  if (nextUpper(cursor) === 'ESCAPE') {
    throw refuse(cursor, next(cursor).position, "unexpected 'ESCAPE'", 'ESCAPE follows LIKE');
  }
  return expression;
}

/** Reads expressions with commas between them; at least one. */
export function readExpressionList(cursor: Cursor): AstExpression[] {
  const expressions = [readExpression(cursor)];
  while (take(cursor, ',')) expressions.push(readExpression(cursor));
  return expressions;
}

/** Reads the expressions up to the bracket that closes around them, and goes past it. */
export function readExpressionsInBrackets(cursor: Cursor): AstExpression[] {
  const expressions = readExpressionList(cursor);
  requireCloser(cursor);
  return expressions;
}

/** Reads a query in parentheses. */
export function readQueryInParentheses(cursor: Cursor): AstQuery {
  require(cursor, '(');
  const query = cursor.grammar.query(cursor);
  require(cursor, ')');
  return query;
}

/** Reads the keys of an ORDER BY, up to where `ends` says that it ends. */
export function readSortKeys(cursor: Cursor, ends: (cursor: Cursor) => boolean): readonly AstSortKey[] {
  const keys = [readSortKey(cursor)];
  while (take(cursor, ',')) keys.push(readSortKey(cursor));
  if (!ends(cursor)) throw unexpected(cursor, cursor.at, AN_OPERATOR);
  return keys;
}

function readSortKey(cursor: Cursor): AstSortKey {
  if (nextUpper(cursor) === 'ALL') {
    throw unsupported(cursor, cursor.at, 'ORDER BY ALL', 'name the columns');
  }
  const expression = readExpression(cursor);
  const descending = take(cursor, 'DESC');
  if (!descending) take(cursor, 'ASC');
  const place = nextUpper(cursor) === 'NULLS' ? upperAt(cursor, cursor.at + 1) : '';
  if (place !== 'FIRST' && place !== 'LAST') return { expression, descending, nulls: null };
  cursor.at += 2;
  return { expression, descending, nulls: place };
}
