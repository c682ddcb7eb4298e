import type { AstExpression, AstSortKey } from '../ast.ts';
import { readFunctionSuffixes } from './function-suffixes.ts';
import { next, nextUpper, take, upperAt, type Cursor } from './cursor.ts';
import type { FunctionCall } from './function-calls.ts';
import { readExpression, readSortKeys } from './lists.ts';
import { namesNoFunction } from '../keywords.ts';
import { isCloser } from './lookahead.ts';
import { AN_EXPRESSION, refuse, require, requireCloser, unexpected, unsupported } from './refusals.ts';

/** Reads an ordinary function call with what may follow it. */
export function readCall(cursor: Cursor): AstExpression {
  const { upper, position: pos } = next(cursor);
  if (namesNoFunction(upper)) {
    const advice = `no function can have this name; a type is written CAST(x AS ${upper})`;
    throw unexpected(cursor, cursor.at + 1, [], advice);
  }
  // CHAR is a type to DuckDB wherever it stands.
  const name = upper === 'CHAR' ? 'CHR' : upper;
  cursor.at += 2;
  const distinct = nextUpper(cursor) === 'DISTINCT';
  const quantified = distinct || nextUpper(cursor) === 'ALL';
  if (quantified) cursor.at++;
  const star = takeStar(cursor, quantified);
  const values = star ? [] : readArguments(cursor, quantified);
  const orderBy = readOrder(cursor, star || values.length > 0);
  checkCount(cursor, name, pos, star ? 1 : values.length);
  requireCloser(cursor);
  if (name === 'ROW' && !distinct && !star && orderBy.length === 0)
    return readFunctionSuffixes(cursor, { kind: 'Row', values, pos });
  const none = { withinGroup: [], filter: null, over: null };
  const call: FunctionCall = {
    ...{ kind: 'FunctionCall', name, arguments: values, star, distinct, orderBy, ...none, pos },
  };
  return readFunctionSuffixes(cursor, call);
}

/** The star of `COUNT(*)`, which is all there is but for an order. */
function takeStar(cursor: Cursor, quantified: boolean): boolean {
  if (nextUpper(cursor) !== '*' || !endsArguments(cursor, cursor.at + 1)) return false;
  if (quantified) throw unexpected(cursor, cursor.at, AN_EXPRESSION);
  cursor.at++;
  return true;
}

function readArguments(cursor: Cursor, quantified: boolean): AstExpression[] {
  if (isCloser(cursor) && !quantified) return [];
  const start = cursor.at;
  const values: AstExpression[] = [];
  do {
    values.push(readExpression(cursor));
    refuseQualifiedStar(cursor, start);
  } while (take(cursor, ','));
  return values;
}

function readOrder(cursor: Cursor, ordersSomething: boolean): readonly AstSortKey[] {
  if (!ordersSomething || !take(cursor, 'ORDER')) return [];
  require(cursor, 'BY');
  return readSortKeys(cursor, isCloser);
}

const endsArguments = (cursor: Cursor, index: number): boolean =>
  upperAt(cursor, index) === ')' || upperAt(cursor, index) === 'ORDER';

function refuseQualifiedStar(cursor: Cursor, start: number): void {
  const { at } = cursor;
  if (upperAt(cursor, at) !== '.' || upperAt(cursor, at + 1) !== '*' || !endsArguments(cursor, at + 2))
    return;
  throw unsupported(cursor, start, 'a function of all columns of a table', 'name the columns');
}

/** Calls whose arguments DuckDB counts while it parses: so it cannot read them for the cross-check. */
const COUNTED: ReadonlyMap<string, { readonly min: number; readonly max: number }> = new Map([
  ['IF', { min: 3, max: 3 }],
  ['IFNULL', { min: 2, max: 2 }],
  ['NULLIF', { min: 2, max: 2 }],
  ['COALESCE', { min: 1, max: Infinity }],
  ['DATE', { min: 1, max: 1 }],
  ['GROUPING', { min: 1, max: Infinity }],
  ['GROUPING_ID', { min: 1, max: Infinity }],
]);

function checkCount(cursor: Cursor, name: string, pos: AstExpression['pos'], given: number): void {
  const allowed = COUNTED.get(name);
  if (allowed === undefined || (given >= allowed.min && given <= allowed.max)) return;
  const count = allowed.min === 1 ? '1 argument' : `${allowed.min} arguments`;
  const expected = allowed.max === Infinity ? `at least ${count}` : count;
  throw refuse(cursor, pos, `${name} takes ${expected}, not ${given}`);
}
