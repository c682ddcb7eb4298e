import type { AstExpression } from '../ast.ts';
import { next, nextUpper, take, upperAt, type Cursor } from './cursor.ts';
import { readExpression } from './lists.ts';
import { isStepName, readSteps } from './names.ts';
import { isCloser } from './lookahead.ts';
import { requireCloser, unexpected } from './refusals.ts';

/** Whether a step into what stands before it is next, as in `(x).name`, `f(x)[0]` or `x[i][j]`. */
export function startsAccess(cursor: Cursor): boolean {
  const upper = nextUpper(cursor);
  if (upper !== '[' && upper !== '.') return false;
  const before = upperAt(cursor, cursor.at - 1);
  return (before === ')' || before === ']') && (upper === '[' || isStepName(cursor, cursor.at + 1));
}

/** Reads the steps that are next, up to a computed one and with it. */
export function readAccess(cursor: Cursor, operand: AstExpression): AstExpression {
  const { pos } = operand;
  const path = readSteps(cursor);
  return readSubscript(cursor, path.length > 0 ? { kind: 'Access', operand, path, pos } : operand);
}

/** Reads a computed subscript or a slice, if one is next. */
export function readSubscript(cursor: Cursor, operand: AstExpression): AstExpression {
  if (nextUpper(cursor) !== '[') return operand;
  cursor.at++;
  const { pos } = operand;
  const first = nextUpper(cursor) === ':' ? null : readExpression(cursor);
  const { type, text } = next(cursor);
  if (first !== null && type === 'parameter' && text.startsWith(':')) {
    const advice = `${text} is a parameter: write ': ${text.slice(1)}' for a column, or ': ${text}'`;
    throw unexpected(cursor, cursor.at, [], advice);
  }
  if (!take(cursor, ':')) {
    requireCloser(cursor);
    return { kind: 'Subscript', operand, index: first ?? operand, pos };
  }
  const to = isCloser(cursor) ? null : readExpression(cursor);
  requireCloser(cursor);
  return { kind: 'Slice', operand, from: first, to, pos };
}
