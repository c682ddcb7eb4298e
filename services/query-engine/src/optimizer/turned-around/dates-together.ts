/**
 * Parts of one date that conditions name beside each other: `year(e) = 2026 AND month(e) = 11` is November 2026, though a month
 * by itself is no range. Where the year is a range of its own, as `e BETWEEN TIMESTAMP '2026-01-01' AND …`, that says it.
 */
import { FLIPPED } from '../../logical/comparison-operators.ts';
import { constantValue } from '../../logical/constant-value.ts';
import type { Expression, LiteralValue } from '../../logical/expression.ts';
import { subqueryOf, walkExpression } from '../../logical/visit.ts';
import { dateOf, instantOf, instantOfDate, monthOf, startOfMonth, DAY } from './instant.ts';
import { numberOf } from './number-bounds.ts';
import { partOfTime, type PartOfTime } from './part-of-time.ts';
import type { TurnAroundContext } from './rule.ts';
import { bounded } from './time-bounds.ts';
import { isReadAsTime, isTime } from './value-kind.ts';

/** What is said of one time. */
interface Said {
  /** As it is written where a month of it is named. */
  time: Expression | null;
  readonly parts: Map<PartOfTime['part'], number>;
  low: bigint | null;
  /** Included. */
  high: bigint | null;
}

/** What conditions that all hold say of times, as a range of each of which they name year and month. */
export function datesTogether(
  conditions: readonly Expression[],
  context: TurnAroundContext,
): readonly Expression[] {
  // Most statements have none, and are asked each time.
  if (!conditions.some(namesPartOfYear)) return [];
  const saidOf = new Map<string, Said>();
  for (const condition of conditions) read(condition, saidOf);
  return [...saidOf.values()].flatMap((said) => {
    const range = said.time !== null && isReadAsTime(said.time, context) ? rangeOf(said) : null;
    const condition = range === null || said.time === null ? null : bounded(said.time, ...range);
    return condition === null ? [] : [condition];
  });
}

const namesPartOfYear = (condition: Expression): boolean =>
  condition.kind === 'Comparison' &&
  [condition.left, condition.right].some((side) => !['year', undefined].includes(partOfTime(side)?.part));

function read(condition: Expression, saidOf: Map<string, Said>): void {
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
  const part = partOfTime(operand);
  if (part === null) readBound(operand, used, constant, saidOf);
  else if (used === '=' && constant !== null) readPart(part, constant, saidOf);
}

function readPart({ part, time }: PartOfTime, constant: LiteralValue, saidOf: Map<string, Said>): void {
  const number = numberOf(constant)?.number;
  if (number === undefined || number.scale > 0) return;
  const said = saidAbout(time, saidOf);
  said?.parts.set(part, Number(number.digits));
  if (said !== null && part !== 'year') said.time = time;
}

/** Constants that are instants alone: beside a text, a text is compared as such, and a date with the date that is written. */
function readBound(
  operand: Expression,
  operator: string,
  constant: LiteralValue | null,
  saidOf: Map<string, Said>,
): void {
  if (constant?.type !== 'temporal' || (constant.sqlType === 'DATE' && !isTime(operand))) return;
  const instant = instantOf(constant);
  if (instant === null) return;
  const said = saidAbout(operand, saidOf);
  if (said === null) return;
  if (operator === '>=' || operator === '>') said.low = instant;
  if (operator === '<=') said.high = instant;
  if (operator === '<') said.high = instant - 1n;
}

/** Null of a time that is not made of columns and constants alone. */
function saidAbout(time: Expression, saidOf: Map<string, Said>): Said | null {
  let hasSubquery = false;
  walkExpression(time, (node) => (hasSubquery ||= subqueryOf(node) !== null));
  if (hasSubquery) return null;
  const key = keyOf(time);
  const before = saidOf.get(key);
  if (before !== undefined) return before;
  const said: Said = { time: null, parts: new Map(), low: null, high: null };
  saidOf.set(key, said);
  return said;
}

/** Equal for one time, wherever it stands. The date of a text may be another than that of the instant that it spells. */
function keyOf(time: Expression): string {
  if (time.kind === 'Cast' && time.sqlType.startsWith('TIMESTAMP')) return keyOf(time.operand);
  return JSON.stringify(time, (name, value: unknown) =>
    name === 'pos' || name === 'folded' ? undefined : value,
  );
}

/** From an instant up to another; null where they name no month of a year. */
function rangeOf({ parts, low, high }: Said): readonly [from: bigint, to: bigint] | null {
  const year = parts.get('year') ?? yearWithin(low, high);
  const [month, quarter, day] = [parts.get('month'), parts.get('quarter'), parts.get('day')];
  // Of the year 1 nothing is certain: see `startOfYear`.
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
