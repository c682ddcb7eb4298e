import { FLIPPED } from '../../../logical/comparison-operators.ts';
import { constantValue } from '../../../logical/constant-value.ts';
import type { Expression, LiteralValue } from '../../../logical/expression.ts';
import { DAY, UNIT_LENGTHS, floorDivision, instantOf, monthOf, startOfMonth } from '../instant.ts';
import { intervalOf } from '../interval.ts';
import { numberOf } from '../number-bounds.ts';
import type { ComparisonWithConstant, TurnAroundRule } from '../rule.ts';
import { bounded, comparedWithInstant } from '../time-bounds.ts';
import { isDate, isReadAsTime, isTime } from '../value-kind.ts';

type Operator = ComparisonWithConstant['operator'];

/** A month in an interval that is compared with another. */
const MONTH_OF_INTERVALS = 30n * DAY;

/** How long a constant is that the difference of two times is compared with. */
function lengthOf(value: LiteralValue, areDates: boolean): bigint | null {
  const number = areDates ? numberOf(value) : null;
  if (number !== null) return number.isExact && number.number.scale === 0 ? number.number.digits * DAY : null;
  const interval = areDates ? null : intervalOf(value);
  return interval === null ? null : interval.months * MONTH_OF_INTERVALS + interval.micros;
}

/**
 * `e - c op d` and `c - e op d` of two times, as `now() - e < INTERVAL '7 days'`: of dates `d` is a number of days, of others an
 * interval, where a month is 30 days.
 */
export const timeDifference: TurnAroundRule = Object.freeze({
  name: 'time-difference',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'Arithmetic' || operand.operator !== '-') return null;
    const { left, right } = operand;
    const [from, to] = [constantTime(left), constantTime(right)];
    const inner = from === null ? left : right;
    const length = lengthOf(value, isDate(left) && isDate(right));
    if (length === null || !isReadAsTime(inner, context)) return null;
    if (from !== null) return comparedWithInstant(inner, FLIPPED[operator], from - length);
    return to === null ? null : comparedWithInstant(inner, operator, to + length);
  },
} satisfies TurnAroundRule);

function constantTime(node: Expression): bigint | null {
  const value = constantValue(node);
  return value === null || !isTime(node) ? null : instantOf(value);
}

/** Units counted from any place: which one an instant lies in, and where one begins. */
interface Units {
  readonly of: (instant: bigint) => bigint;
  readonly start: (unit: bigint) => bigint;
}

function unitsNamed(name: string): Units | null {
  const length = name !== 'week' && Object.hasOwn(UNIT_LENGTHS, name) ? UNIT_LENGTHS[name] : undefined;
  if (length !== undefined)
    return { of: (instant) => floorDivision(instant, length), start: (unit) => unit * length };
  const months = name === 'month' ? 1 : name === 'year' ? 12 : null;
  if (months === null) return null;
  return {
    of: (instant) => BigInt(Math.floor(monthOf(instant) / months)),
    start: (unit) => startOfMonth(Number(unit) * months),
  };
}

/** `date_diff(unit, e, c) op n`, `date_diff(unit, c, e) op n`: how many boundaries of the unit lie between. Not for weeks. */
export const dateDifference: TurnAroundRule = Object.freeze({
  name: 'date-difference',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'FunctionCall' || operand.name !== 'DATE_DIFF') return null;
    const [named, first, second] = operand.arguments;
    if (named === undefined || first === undefined || second === undefined) return null;
    const unit = constantValue(named);
    const units = unit?.type === 'text' ? unitsNamed(unit.value.toLowerCase()) : null;
    const number = numberOf(value)?.number;
    if (units === null || number === undefined || number.scale > 0) return null;
    const [from, to] = [constantValue(first), constantValue(second)];
    const [inner, constant] = from === null ? [first, to] : [second, from];
    const instant = constant === null ? null : instantOf(constant);
    if (instant === null || !isReadAsTime(inner, context)) return null;
    const counted = units.of(instant);
    // The unit that `e` lies in, compared as the number is, or the other way round.
    return from === null
      ? inUnit(inner, FLIPPED[operator], counted - number.digits, units)
      : inUnit(inner, operator, counted + number.digits, units);
  },
} satisfies TurnAroundRule);

function inUnit(inner: Expression, operator: Operator, unit: bigint, { start }: Units): Expression | null {
  switch (operator) {
    case '=':
      return bounded(inner, start(unit), start(unit + 1n));
    case '<':
      return bounded(inner, null, start(unit));
    case '<=':
      return bounded(inner, null, start(unit + 1n));
    case '>':
      return bounded(inner, start(unit + 1n), null);
    case '>=':
      return bounded(inner, start(unit), null);
  }
}
