import type { AstSample } from '../ast.ts';
import { next, nextUpper, take, type Cursor } from './cursor.ts';
import { readExpression } from './lists.ts';
import { refuse, require, requireCloser, unsupported } from './refusals.ts';

const SEED = 'a seed';
const INSTEAD = 'write TABLESAMPLE SYSTEM (10), or BERNOULLI (10)';

/** Reads `TABLESAMPLE method (percent) [REPEATABLE (seed)]` where it is next; null where it is not. */
export function readSample(cursor: Cursor): AstSample | null {
  const { position: pos } = next(cursor);
  const { at } = cursor;
  if (!take(cursor, 'TABLESAMPLE')) return null;
  const method = nextUpper(cursor);
  if (method !== 'SYSTEM' && method !== 'BERNOULLI') throw unsupported(cursor, at, 'TABLESAMPLE', INSTEAD);
  cursor.at++;
  const percent = readNumber(cursor, 'a percentage');
  if (Number(percent) > 100)
    throw refuse(cursor, pos, `TABLESAMPLE with ${percent} percent`, 'a percentage is between 0 and 100');
  const seed = take(cursor, 'REPEATABLE') ? readNumber(cursor, SEED) : null;
  return { method, percent, seed, pos };
}

/** Of a number in parentheses: which rows are taken must be known before the statement has values. */
function readNumber(cursor: Cursor, what: string): string {
  require(cursor, '(');
  const { position: pos } = next(cursor);
  const number = readExpression(cursor);
  requireCloser(cursor);
  if (number.kind === 'NumberLiteral') return number.text;
  const isNegative = number.kind === 'Unary' && number.operator === '-' && what === SEED;
  if (isNegative && number.operand.kind === 'NumberLiteral') return `-${number.operand.text}`;
  throw refuse(cursor, pos, `TABLESAMPLE with ${what} that is no plain number`, INSTEAD);
}
