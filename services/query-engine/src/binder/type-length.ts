/** Lengths in the type of a CAST: a text is cut to one, a time is rounded to one. */
import { functionCall, literal } from '../logical/build-expression.ts';
import type { Expression } from '../logical/expression.ts';
import type { Position } from '../parser/ast.ts';

const UNITS: Readonly<Record<number, { readonly unit: string; readonly half: string }>> = Object.freeze({
  0: { unit: 'second', half: '500 milliseconds' },
  3: { unit: 'millisecond', half: '500 microseconds' },
});

/**
 * The value of a cast, cut to the length that its type has: a VARCHAR to so many characters, as an explicit cast of
 * PostgreSQL does, and a TIMESTAMP to the nearest so many digits of a second.
 */
export function cutTo(cast: Expression, type: string, length: number, pos: Position): Expression {
  if (type === 'VARCHAR')
    return functionCall('LEFT', [cast, literal({ type: 'number', text: String(length) }, pos)], pos);
  const rounding = UNITS[length];
  if (rounding === undefined) throw new Error(`no rounding to ${length} digits of a second`);
  const half = literal({ type: 'interval', value: rounding.half, unit: null }, pos);
  const unit = literal({ type: 'text', value: rounding.unit }, pos);
  return functionCall('DATE_TRUNC', [unit, functionCall('DATE_ADD', [cast, half], pos)], pos);
}
