/**
 * Parts of one date that conditions name beside each other: `year(e) = 2026 AND month(e) = 11` is November 2026, though a month
 * by itself is no range. Where the year is a range of its own, as `e BETWEEN TIMESTAMP '2026-01-01' AND …`, that says it.
 */
import { FLIPPED, type ComparedBy } from '../../logical/comparison-operators.ts';
import { constantValue } from '../../logical/constant-value.ts';
import type { Expression, LiteralValue } from '../../logical/expression.ts';
import { structureNumbers } from '../../logical/structure.ts';
import { dateOf, instantOf, instantOfDate, monthOf, startOfMonth, DAY } from './instant.ts';
import { numberOf } from './number-bounds.ts';
import { partOfDate, type DatePart, type PartOfDate } from './part-of-time.ts';
import type { TurnAroundContext } from './rule.ts';
import { bounded } from './time-bounds.ts';
import { isReadAsTime, isTime } from './value-kind.ts';

/** Parts and bounds that conditions name of one time. */
interface Said {
  /** As it is written where a month of it is named. */
  time: Expression | null;
  readonly parts: Map<DatePart, number>;
  low: bigint | null;
  /** Included. */
  high: bigint | null;
}

type SaidOf = (time: Expression) => Said;

/** Ranges of those times of which conditions that all hold name year and month. */
export function datesTogether(
  conditions: readonly Expression[],
  context: TurnAroundContext,
): readonly Expression[] {
  // Most statements have none, and are asked each time.
  if (!conditions.some(namesPartOfYear)) return [];
  const structureOf = structureNumbers();
  const times = new Map<number, Said>();
  const saidOf: SaidOf = (time) => {
    const key = structureOf(withoutCasts(time));
    const said = times.get(key) ?? { time: null, parts: new Map(), low: null, high: null };
    times.set(key, said);
    return said;
  };
  for (const condition of conditions) read(condition, saidOf);
  return [...times.values()].flatMap((said) => {
    const range = said.time !== null && isReadAsTime(said.time, context) ? rangeOf(said) : null;
    const condition = range === null || said.time === null ? null : bounded(said.time, ...range);
    return condition === null ? [] : [condition];
  });
}

/** The time itself, as whichever timestamp it is read. The date of a text may be another than that of the instant that it spells. */
const withoutCasts = (time: Expression): Expression =>
  time.kind === 'Cast' && time.sqlType.startsWith('TIMESTAMP') ? withoutCasts(time.operand) : time;

const namesPartOfYear = (condition: Expression): boolean =>
  condition.kind === 'Comparison' &&
  [condition.left, condition.right].some((side) => !['year', undefined].includes(partOfDate(side)?.part));

function read(condition: Expression, saidOf: SaidOf): void {
  if (condition.kind === 'Between' && !condition.negated) {
    readBound(condition.operand, '>=', constantValue(condition.low), saidOf);
    readBound(condition.operand, '<=', constantValue(condition.high), saidOf);
  }
  if (condition.kind !== 'Comparison') return;
  const { operator, left, right } = condition;
  if (operator === 'IS DISTINCT FROM' || operator === 'IS NOT DISTINCT FROM') return;
  const [value, other] = [constantValue(right), constantValue(left)];
  const [operand, constant, used] =
    value === null ? [right, other, FLIPPED[operator]] : [left, value, operator];
  const part = partOfDate(operand);
  if (part === null) readBound(operand, used, constant, saidOf);
  else if (used === '=' && constant !== null) readPart(part, constant, saidOf);
}

function readPart({ part, time }: PartOfDate, constant: LiteralValue, saidOf: SaidOf): void {
  const number = numberOf(constant)?.number;
  if (number === undefined || number.scale > 0) return;
  const said = saidOf(time);
  said.parts.set(part, Number(number.digits));
  if (part !== 'year') said.time = time;
}

/** Constants that are instants alone: beside a text, a text is compared as such, and a date with the date that is written. */
function readBound(
  operand: Expression,
  operator: ComparedBy,
  constant: LiteralValue | null,
  saidOf: SaidOf,
): void {
  if (constant?.type !== 'temporal' || (constant.sqlType === 'DATE' && !isTime(operand))) return;
  const instant = instantOf(constant);
  if (instant === null) return;
  const said = saidOf(operand);
  if (operator === '>=' || operator === '>') said.low = instant;
  if (operator === '<=') said.high = instant;
  if (operator === '<') said.high = instant - 1n;
}

/** From an instant up to another; null where they name no month of a year. */
function rangeOf({ parts, low, high }: Said): readonly [from: bigint, to: bigint] | null {
  const year = parts.get('year') ?? yearWithin(low, high);
  const [month, quarter, day] = [parts.get('month'), parts.get('quarter'), parts.get('day')];
  // The year 1 has no certain start: see `startOfYear`.
  if (year === null || year < 2 || year > 9999) return null;
  if (month === undefined) {
    if (quarter === undefined || quarter < 1 || quarter > 4) return null;
    const first = year * 12 + 3 * (quarter - 1);
    return [startOfMonth(first), startOfMonth(first + 3)];
  }
  const start = instantOfDate(year, month, 1);
  if (start === null) return null;
  const date = day === undefined ? null : instantOfDate(year, month, day);
  return date === null ? [start, startOfMonth(monthOf(start) + 1)] : [date, date + DAY];
}

/** The year that both lie in; null where they lie in two, or one is not known. */
function yearWithin(low: bigint | null, high: bigint | null): number | null {
  if (low === null || high === null) return null;
  const [[first], [last]] = [dateOf(low), dateOf(high)];
  return first === last ? first : null;
}
