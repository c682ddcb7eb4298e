import type { AstExpression, AstSortKey } from '../ast.ts';
import { next, nextUpper, upperAt, type Cursor } from './cursor.ts';
import type { FunctionCall } from './function-calls.ts';
import { readExpression, readSortKeys } from './lists.ts';
import { isCloser } from './lookahead.ts';
import { refuse, require, requireCloser, unsupported } from './refusals.ts';
import { readOver } from './windows.ts';

/** Functions of windows that are no aggregates. */
const WINDOW_FUNCTIONS = new Set([
  ...['ROW_NUMBER', 'RANK', 'DENSE_RANK', 'PERCENT_RANK', 'CUME_DIST', 'NTILE'],
  ...['LAG', 'LEAD', 'FIRST_VALUE', 'LAST_VALUE', 'NTH_VALUE'],
]);
/** The aggregates that DuckDB knows with WITHIN GROUP. */
const ORDERED_SET_AGGREGATES = new Set(['PERCENTILE_CONT', 'PERCENTILE_DISC', 'MODE']);

type Row = Extract<AstExpression, { kind: 'Row' }>;

/** Reads WITHIN GROUP (…), FILTER (…) and OVER … after a call. */
export function readFunctionSuffixes(cursor: Cursor, called: FunctionCall | Row): AstExpression {
  let call = called;
  if (isNext(cursor, 'IGNORE', 'NULLS') || isNext(cursor, 'RESPECT', 'NULLS')) {
    const advice = 'write FILTER (WHERE x IS NOT NULL)';
    throw unsupported(cursor, cursor.at, `${nextUpper(cursor)} NULLS`, advice);
  }
  if (isNext(cursor, 'WITHIN', 'GROUP')) {
    call = requireCall(cursor, call);
    call = { ...call, withinGroup: readWithinGroup(cursor, call) };
  }
  if (isNext(cursor, 'FILTER', '(')) {
    call = requireCall(cursor, call);
    cursor.at += 2;
    require(cursor, 'WHERE');
    call = { ...call, filter: readExpression(cursor) };
    requireCloser(cursor);
  }
  if (nextUpper(cursor) !== 'OVER') return call;
  call = requireCall(cursor, call);
  checkWindowCall(cursor, call);
  return { ...call, over: readOver(cursor) };
}

const isNext = (cursor: Cursor, first: string, second: string): boolean =>
  nextUpper(cursor) === first && upperAt(cursor, cursor.at + 1) === second;

function requireCall(cursor: Cursor, call: FunctionCall | Row): FunctionCall {
  if (call.kind === 'FunctionCall') return call;
  throw refuse(cursor, next(cursor).position, 'a window, filter or group after ROW (…)');
}

function readWithinGroup(cursor: Cursor, call: FunctionCall): readonly AstSortKey[] {
  if (!ORDERED_SET_AGGREGATES.has(call.name)) {
    throw unsupported(cursor, cursor.at, `WITHIN GROUP for ${call.name}`);
  }
  cursor.at += 2;
  require(cursor, '(');
  require(cursor, 'ORDER');
  require(cursor, 'BY');
  const keys = readSortKeys(cursor, isCloser);
  requireCloser(cursor);
  checkWithinGroup(cursor, call, keys.length);
  return keys;
}

/** What does not go with WITHIN GROUP; DuckDB finds this out while it parses, too. */
function checkWithinGroup(cursor: Cursor, call: FunctionCall, keys: number): void {
  const parts = [
    [call.distinct, 'DISTINCT'],
    [call.orderBy.length > 0, 'ORDER BY inside of its parentheses'],
    [call.name === 'MODE' && call.arguments.length > 0, 'an argument'],
    [keys > 1, 'more than one ORDER BY expression'],
  ] as const;
  const wrong = parts.find(([present]) => present)?.[1];
  if (wrong !== undefined)
    throw unsupported(cursor, call.pos, `${wrong} for ${call.name} with WITHIN GROUP`, 'leave it out');
}

/** What only aggregates take; DuckDB finds it out while it parses, so that it could not cross-check it. */
function checkWindowCall(cursor: Cursor, call: FunctionCall): void {
  if (!WINDOW_FUNCTIONS.has(call.name)) return;
  const parts = [
    [call.distinct, 'DISTINCT'],
    [call.filter !== null, 'FILTER'],
    [call.orderBy.length > 0, 'ORDER BY inside of its parentheses'],
  ] as const;
  const wrong = parts.find(([present]) => present)?.[1];
  if (wrong !== undefined)
    throw unsupported(cursor, call.pos, `${wrong} for ${call.name}`, 'only aggregates take it');
}
