import { constantValue } from '../../../logical/constant-value.ts';
import type { Expression } from '../../../logical/expression.ts';
import { DAY, floorTo, instantOf, monthOf, startOfMonth, timestampOf } from '../instant.ts';
import { intervalOf, type Interval } from '../interval.ts';
import { numberOf } from '../number-bounds.ts';
import type { TurnAroundRule } from '../rule.ts';
import { comparedBetween, comparedWithInstant } from '../time-bounds.ts';
import { isDate, isReadAsTime } from '../value-kind.ts';

interface Shift {
  readonly inner: Expression;
  readonly by: Interval;
}

const backwards = ({ months, micros }: Interval): Interval => ({ months: -months, micros: -micros });

/** A constant that is added to a date or time: an interval, or days. */
function addedTo(inner: Expression, by: Expression): Interval | null {
  const value = constantValue(by);
  if (value === null) return null;
  const number = isDate(inner) ? numberOf(value) : null;
  if (number?.isExact === true && number.number.scale === 0)
    return { months: 0n, micros: number.number.digits * DAY };
  return intervalOf(value);
}

function shiftOf(node: Expression): Shift | null {
  const of = (inner: Expression, by: Expression, isBackwards: boolean): Shift | null => {
    const added = addedTo(inner, by);
    return added === null ? null : { inner, by: isBackwards ? backwards(added) : added };
  };
  if (node.kind === 'Arithmetic') {
    if (node.operator === '-') return of(node.left, node.right, true);
    if (node.operator !== '+') return null;
    return of(node.left, node.right, false) ?? of(node.right, node.left, false);
  }
  if (node.kind !== 'FunctionCall' || (node.name !== 'DATE_ADD' && node.name !== 'DATE_SUB')) return null;
  const [inner, by] = node.arguments;
  return inner === undefined || by === undefined ? null : of(inner, by, node.name === 'DATE_SUB');
}

/** A month's last day is up to so much after what it becomes in a shorter month. */
const MONTHS_DIFFER = 3n * DAY;

/**
 * `e + INTERVAL '7 days' op c`, `e - …`, `date_add(e, …)`, and days that are added to a date: `e op c - …`. Where months are
 * added, a day beyond the month's end becomes its last: so `e` may be up to three days later than `c` less the months.
 */
export const shiftedTime: TurnAroundRule = Object.freeze({
  name: 'shifted-time',
  comparison({ operand, operator, value }, context) {
    const shift = shiftOf(operand);
    const instant = instantOf(value);
    if (shift === null || instant === null || !isReadAsTime(shift.inner, context)) return null;
    const { months, micros } = shift.by;
    const target = instant - micros;
    if (months === 0n) return comparedWithInstant(shift.inner, operator, target);
    if (timestampOf(target) === null) return null;
    const month = monthOf(target) - Number(months);
    const moved = startOfMonth(month) + target - floorTo('month', target);
    const low = moved < startOfMonth(month + 1) ? moved : startOfMonth(month + 1);
    return comparedBetween(shift.inner, operator, low, low + MONTHS_DIFFER);
  },
} satisfies TurnAroundRule);
