import { and, comparison, literal, or } from '../../../logical/build-expression.ts';
import type { Expression } from '../../../logical/expression.ts';
import { DAY, HOUR, dateOf, floorTo, instantOf } from '../instant.ts';
import type { TurnAroundRule } from '../rule.ts';

/** Offsets are shorter (`ISO_TEXT` in duckdb-sql/types/convert.ts). */
const OFFSET_MAX = 16n * HOUR;
const YEAR_DIGITS = 4;

/** A day as it is written with dashes and without, and the parts of it. */
interface WrittenDay {
  readonly year: string;
  readonly month: number;
  readonly day: number;
  /** With the year, and the dash behind it. */
  readonly monthText: string;
  readonly dashed: string;
  readonly basic: string;
}

function writtenDay(instant: bigint): WrittenDay {
  const [year, month, day] = dateOf(instant);
  const yearText = String(year).padStart(YEAR_DIGITS, '0');
  const [monthText, dayText] = [month, day].map((part) => String(part).padStart(2, '0'));
  return {
    year: yearText,
    month,
    day,
    monthText: `${yearText}-${monthText}-`,
    dashed: `${yearText}-${monthText}-${dayText}`,
    basic: `${yearText}${monthText}${dayText}`,
  };
}

/** Texts from one up to another that is not among them; null has no bound. */
type TextRange = readonly [from: string | null, to: string | null];

/** Texts of dates of one digit, from one up to another. */
type ShortDates = readonly [from: string, to: string];

/** Dates behind a month of two digits whose day has one: the first three stand between days of two, others by themselves. */
function shortDays(month: string, last: number): readonly ShortDates[] {
  const ranges: ShortDates[] = [1, 2, 3]
    .filter((day) => day <= last)
    .map((day) => [`${month}${day}`, `${month}${day}!`]);
  if (last > 3) ranges.push([`${month}4`, last < 9 ? `${month}${last + 1}` : `${month}:`]);
  return ranges;
}

/** Dates whose month has one digit: those of January stand between September and October. */
const shortJanuary = (year: string): ShortDates => [`${year}-1-`, `${year}-1.`];

/**
 * Earlier dates of one digit that stand behind a day of two: those before `short`. What stands without dashes is not left out:
 * with the slashes before it, it is one range, which is empty nearly always.
 */
function gapsAfter(day: WrittenDay, short: WrittenDay): readonly ShortDates[] {
  if (day.month === 1) return [];
  if (day.month < 10) return [shortJanuary(day.year)];
  const last = short.monthText === day.monthText ? Math.min(short.day - 1, 9) : 9;
  return shortDays(day.monthText, last).filter(([, end]) => end > day.dashed);
}

/** What is on a day or before. A day's texts go on with a space, `T` or `t`. Dates with one digit only up to `short`. */
function notAfter(day: WrittenDay, short: WrittenDay): readonly TextRange[] {
  const ranges: TextRange[] = [[null, `${day.dashed}u`]];
  if (day.month < 10 && short.year === day.year) ranges.push(shortJanuary(day.year));
  if (day.month >= 10 && short.monthText === day.monthText)
    ranges.push(...shortDays(day.monthText, Math.min(short.day, 9)));
  return [...ranges, [day.month === 1 ? `${day.year}/` : `${day.year}-2`, `${day.basic}u`]];
}

const text = (value: string): Expression => literal({ type: 'text', value });

/** What is on a day or later: from its text with dashes on. Dates with one digit are never below the same with two. */
function notBefore(key: Expression, day: WrittenDay, short: WrittenDay): Expression {
  const gaps = gapsAfter(day, short).map(([first, end]): Expression =>
    Object.freeze({
      kind: 'Or',
      operands: Object.freeze([comparison('<', key, text(first)), comparison('>=', key, text(end))]),
      isGap: true,
    }),
  );
  return and([comparison('>=', key, text(day.dashed)), ...gaps]);
}

function within(key: Expression, ranges: readonly TextRange[]): Expression {
  return or(
    ranges.map(([from, to]) =>
      and([
        ...(from === null ? [] : [comparison('>=', key, text(from))]),
        ...(to === null ? [] : [comparison('<', key, text(to))]),
      ]),
    ),
  );
}

/**
 * `k op c` for a text key and a time: which texts may be such times, by the day that is written in them.
 *
 * A stored text is a time where it begins with a date, and that with four digits of its year (`ISO_TEXT` in
 * duckdb-sql/types/convert.ts), so that years are in order. Within a year come `2026-11-20`, `2026/11/20` and `20261120`: the
 * first has a range of its own, the others have one together, with all of a year's dates with slashes. A date alone may have
 * months and days of one digit: `2026-2` to `2026-9` is right before the slashes, where no other text is, but `2026-1-` and
 * `2026-11-3` are between others.
 *
 * An offset moves the written day by less than 16 hours, and `24:00` is the end of its day: the time `t` is written on the day
 * of `t` + 16 h at most, and on one that begins no earlier than `t` - 40 h. A date alone is that day. `infinity` is above all
 * digits, `-infinity` below.
 */
export const textAsTime: TurnAroundRule = Object.freeze({
  name: 'text-as-time',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'ColumnReference' || context.keyType(operand) !== 'text') return null;
    if (value.type !== 'temporal') return null;
    const instant = instantOf(value);
    if (instant === null) return null;
    const dayOf = (at: bigint): WrittenDay => writtenDay(floorTo('day', at));
    const bounds: Expression[] = [];
    if (operator !== '<' && operator !== '<=')
      bounds.push(notBefore(operand, dayOf(instant - OFFSET_MAX - 1n), dayOf(instant + DAY - 1n)));
    const last = dayOf(instant + OFFSET_MAX);
    // No text is of the year 10000.
    if (operator !== '>' && operator !== '>=' && last.year.length === YEAR_DIGITS)
      bounds.push(within(operand, notAfter(last, dayOf(operator === '<' ? instant - 1n : instant))));
    return bounds.length === 0 ? null : and(bounds);
  },
} satisfies TurnAroundRule);
