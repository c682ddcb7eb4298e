import type { AstExpression } from '../ast.ts';
import { next, nextUpper, take, type Cursor } from './cursor.ts';
import { readExpression } from './lists.ts';
import { AN_OPERATOR, unexpected } from './refusals.ts';

/** Reads `CASE … END`. */
export function readCase(cursor: Cursor): AstExpression {
  const { position: pos } = next(cursor);
  cursor.at++;
  const operand = startsPart(cursor) ? null : readExpression(cursor);
  if (nextUpper(cursor) !== 'WHEN') throw unexpectedPart(cursor, nextUpper(cursor) === 'END' ? ['WHEN'] : []);
  const branches: { readonly when: AstExpression; readonly then: AstExpression }[] = [];
  while (take(cursor, 'WHEN')) {
    const when = readExpression(cursor);
    if (!take(cursor, 'THEN')) throw unexpectedPart(cursor);
    branches.push({ when, then: readExpression(cursor) });
  }
  const otherwise = take(cursor, 'ELSE') ? readExpression(cursor) : null;
  if (!take(cursor, 'END')) throw unexpectedPart(cursor);
  return { kind: 'Case', operand, branches, otherwise, pos };
}

const startsPart = (cursor: Cursor): boolean => ['WHEN', 'THEN', 'ELSE', 'END'].includes(nextUpper(cursor));

const unexpectedPart = (cursor: Cursor, expected: readonly string[] = []): Error =>
  unexpected(cursor, cursor.at, startsPart(cursor) ? expected : AN_OPERATOR);
