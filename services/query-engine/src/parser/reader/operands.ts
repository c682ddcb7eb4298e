import type { AstExpression, AstQuery } from '../ast.ts';
import { readSubscript } from './access.ts';
import { readCall } from './calls.ts';
import { readCase } from './case.ts';
import { next, nextUpper, upperAt, type Cursor } from './cursor.ts';
import { plainCall } from './function-calls.ts';
import { readExpressionsInBrackets, readQueryInParentheses } from './lists.ts';
import { readLiteral } from './literals.ts';
import { closingOf, holdsQuery, isColumnName, isName } from './lookahead.ts';
import { readIdentifier, readSteps } from './names.ts';
import { AN_EXPRESSION, refuse, unexpected, unsupported } from './refusals.ts';
import { readSpecialForm } from './special-forms.ts';

/** Reads an operand: whatever stands between operators. */
export function readOperand(cursor: Cursor): AstExpression {
  const literal = readLiteral(cursor);
  if (literal !== undefined) return literal;
  const { type, upper } = next(cursor);
  const following = upperAt(cursor, cursor.at + 1);
  if (upper === '(') return readParentheses(cursor);
  if (upper === '[') return readList(cursor, cursor.at);
  if (upper === 'ARRAY' && following === '[') return readList(cursor, cursor.at + 1);
  if (upper === 'ARRAY' && following === '(') return readArraySubquery(cursor);
  if (upper === '{') {
    const advice = 'write the parts as columns, or a list such as [1, 2]';
    throw unsupported(cursor, cursor.at, 'struct literals', advice);
  }
  if (type === 'word') {
    const special = upper === 'CASE' ? readCase(cursor) : readSpecialForm(cursor);
    if (special !== undefined) return special;
    const isFunction = isName(cursor, cursor.at) || upper === 'LEFT' || upper === 'RIGHT';
    if (following === '(' && isFunction) return readCall(cursor);
  }
  return readName(cursor);
}

function readName(cursor: Cursor): AstExpression {
  const { at } = cursor;
  if (!isColumnName(cursor, at)) throw unexpected(cursor, at, AN_EXPRESSION);
  const identifier = readIdentifier(cursor);
  const path = [{ kind: 'Name' as const, identifier }, ...readSteps(cursor)];
  if (nextUpper(cursor) === '(') {
    const what = identifier.quoted ? 'function names in quotes' : 'function names with a dot';
    throw unsupported(cursor, at, what);
  }
  return readSubscript(cursor, { kind: 'Name', path, pos: identifier.pos });
}

/** `(SELECT …)`, `(a, b)`, or an expression in parentheses, which are not kept. */
function readParentheses(cursor: Cursor): AstExpression {
  const { position: pos } = next(cursor);
  if (holdsQuery(cursor, cursor.at)) {
    return { kind: 'ScalarSubquery', query: readQueryInParentheses(cursor), pos };
  }
  cursor.at++;
  const values = readExpressionsInBrackets(cursor);
  const [only, ...others] = values;
  return only !== undefined && others.length === 0 ? only : { kind: 'Row', values, pos };
}

function readArraySubquery(cursor: Cursor): AstExpression {
  const { position: pos } = next(cursor);
  cursor.at++;
  if (!holdsQuery(cursor, cursor.at))
    throw unexpected(cursor, cursor.at + 1, ['a subquery'], 'a list is written ARRAY[1, 2]');
  const query = readQueryInParentheses(cursor);
  const columns = columnsOf(query);
  // DuckDB counts them while it parses, so that it could not cross-check it.
  if (columns > 1) throw refuse(cursor, pos, `ARRAY (…) of ${columns} columns`, 'it takes a subquery of one');
  return { kind: 'ArraySubquery', query, pos };
}

/** The columns of a query, a star counted as one. */
function columnsOf({ body }: AstQuery): number {
  let first = body;
  while (first.kind === 'SetOperation' || first.kind === 'Query')
    first = first.kind === 'Query' ? first.body : first.left;
  return first.kind === 'Values' ? (first.rows[0]?.length ?? 0) : first.items.length;
}

/** `[1, 2]` and `ARRAY[1, 2]` are calls of LIST_VALUE. */
function readList(cursor: Cursor, opening: number): AstExpression {
  const { position: pos } = next(cursor);
  cursor.at = opening + 1;
  if (closingOf(cursor, opening) > cursor.at)
    return plainCall('LIST_VALUE', readExpressionsInBrackets(cursor), pos);
  cursor.at++;
  return plainCall('LIST_VALUE', [], pos);
}
