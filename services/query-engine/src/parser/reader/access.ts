import type { AstExpression } from '../ast.ts';
import { next, nextUpper, upperAt, type Cursor } from './cursor.ts';
import { readExpression } from './lists.ts';
import { isStepName, readSteps } from './names.ts';
import { requireCloser, unsupported } from './refusals.ts';

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

/** Reads a computed subscript, if one is next. */
export function readSubscript(cursor: Cursor, operand: AstExpression): AstExpression {
  if (nextUpper(cursor) !== '[') return operand;
  const opening = cursor.at;
  cursor.at++;
  refuseSlice(cursor, opening, nextUpper(cursor) === ':');
  const index = readExpression(cursor);
  refuseSlice(cursor, opening, next(cursor).text.startsWith(':'));
  requireCloser(cursor);
  return { kind: 'Subscript', operand, index, pos: operand.pos };
}

function refuseSlice(cursor: Cursor, opening: number, isSlice: boolean): void {
  const advice = 'read its elements one by one: tags[0], tags[1]';
  if (isSlice) throw unsupported(cursor, opening, 'a slice of a list', advice);
}
