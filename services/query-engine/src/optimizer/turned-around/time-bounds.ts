/** Conditions on times, by their bounds. */
import { and, comparison, literal } from '../../logical/build-expression.ts';
import type { Expression } from '../../logical/expression.ts';
import { nextOf, timestampOf, type TimeUnit } from './instant.ts';
import type { ComparisonWithConstant } from './rule.ts';

type Operator = ComparisonWithConstant['operator'];

/** A time compared with an instant; null where no constant says it. */
export function comparedWithInstant(
  operand: Expression,
  operator: Operator,
  instant: bigint,
): Expression | null {
  const value = timestampOf(instant);
  return value === null ? null : comparison(operator, operand, literal(value));
}

/** `operand operator c` for a `c` that is known to lie between two instants. */
export function comparedBetween(
  operand: Expression,
  operator: Operator,
  low: bigint,
  high: bigint,
): Expression | null {
  if (low === high) return comparedWithInstant(operand, operator, low);
  const least = operator === '<' || operator === '<=' ? null : comparedWithInstant(operand, '>=', low);
  const most = operator === '>' || operator === '>=' ? null : comparedWithInstant(operand, '<=', high);
  const bounds = [least, most].filter((bound) => bound !== null);
  return bounds.length === 0 ? null : and(bounds);
}

/** What `(operand, cut down to a unit) operator instant` says of the operand. */
export function cutDown(
  operand: Expression,
  operator: Operator,
  unit: TimeUnit,
  instant: bigint,
): Expression | null {
  switch (operator) {
    case '=':
      return bounded(operand, instant, nextOf(unit, instant));
    case '<':
      return bounded(operand, null, nextOf(unit, instant - 1n));
    case '<=':
      return bounded(operand, null, nextOf(unit, instant));
    case '>':
      return bounded(operand, nextOf(unit, instant), null);
    case '>=':
      return bounded(operand, instant, null);
  }
}

/** From one instant up to another that is not included; null has no bound. */
export function bounded(operand: Expression, from: bigint | null, to: bigint | null): Expression | null {
  const low = from === null ? null : comparedWithInstant(operand, '>=', from);
  const high = to === null ? null : comparedWithInstant(operand, '<', to);
  const bounds = [low, high].filter((bound) => bound !== null);
  return bounds.length === 0 ? null : and(bounds);
}
