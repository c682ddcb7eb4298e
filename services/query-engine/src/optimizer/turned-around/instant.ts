/**
 * Instants in microseconds since 1970-01-01 UTC, of the years 1 to 9999: what bounds of times are reckoned in. Constants are
 * evaluated by the engine; here they are only read, moved and cut down to units.
 */
import type { LiteralValue } from '../../logical/expression.ts';

export const SECOND = 1_000_000n;
export const MINUTE = 60n * SECOND;
export const HOUR = 60n * MINUTE;
export const DAY = 24n * HOUR;

const MS_PER_DAY = 86_400_000;
/** 0001-01-01, and the end of 9999. */
const INSTANT_MIN = -719_162n * DAY;
const INSTANT_END = 2_932_897n * DAY;
/** A Monday. */
const FIRST_MONDAY = 4n * DAY;

const WRITTEN =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(Z|[+-](?:0\d|1[0-5])(?::?[0-5]\d)?)?)?$/i;

/** Of a year, a month from 1 and a day; null where there is no such day. */
export function instantOfDate(year: number, month: number, day: number): bigint | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    return null;
  return inRange(BigInt(date.getTime() / MS_PER_DAY) * DAY);
}

const inRange = (instant: bigint): bigint | null =>
  instant >= INSTANT_MIN && instant < INSTANT_END ? instant : null;

/** The instant that a text spells as ISO 8601 has it, in UTC where it names no offset; null for any other text. */
export function instantOfText(text: string): bigint | null {
  const match = WRITTEN.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset = 'Z'] = match;
  const midnight = instantOfDate(Number(year), Number(month), Number(day));
  if (midnight === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const time = BigInt(hour) * HOUR + BigInt(minute) * MINUTE + BigInt(second) * SECOND;
  return inRange(midnight + time + BigInt(fraction.padEnd(6, '0')) - offsetOf(offset));
}

function offsetOf(text: string): bigint {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(text) ?? [];
  const size = BigInt(hours) * HOUR + BigInt(minutes) * MINUTE;
  return sign === '-' ? -size : size;
}

/** The instant that a constant is beside a date or timestamp; null where it is none, or not surely. */
export function instantOf(value: LiteralValue): bigint | null {
  if (value.type === 'text') return instantOfText(value.value);
  if (value.type !== 'temporal' || value.sqlType === 'TIME') return null;
  const instant = instantOfText(value.value);
  return instant !== null && value.sqlType === 'DATE' ? floorTo('day', instant) : instant;
}

/** Year, month and day, from 1. */
export function dateOf(instant: bigint): readonly [year: number, month: number, day: number] {
  const date = new Date(Number(floorDivision(instant, DAY)) * MS_PER_DAY);
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
}

/** As a constant; null beyond the years 1 to 9999. */
export function timestampOf(instant: bigint): LiteralValue | null {
  if (inRange(instant) === null) return null;
  const [year, month, day] = dateOf(instant);
  const time = instant - floorTo('day', instant);
  const two = (part: bigint | number): string => String(part).padStart(2, '0');
  const clock = `${two(time / HOUR)}:${two((time / MINUTE) % 60n)}:${two((time / SECOND) % 60n)}`;
  const value = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${clock}.${String(time % SECOND).padStart(6, '0')}`;
  return { type: 'temporal', sqlType: 'TIMESTAMP', value };
}

/** Units that times are cut down to. */
export type TimeUnit =
  | 'microsecond'
  | 'millisecond'
  | 'second'
  | 'minute'
  | 'hour'
  | 'day'
  | 'week'
  | 'month'
  | 'quarter'
  | 'year';

/** Units of one length each. */
export const UNIT_LENGTHS: Readonly<Partial<Record<string, bigint>>> = Object.freeze({
  microsecond: 1n,
  millisecond: 1000n,
  second: SECOND,
  minute: MINUTE,
  hour: HOUR,
  day: DAY,
  week: 7n * DAY,
});
/** Months of the others. */
const UNIT_MONTHS: Readonly<Partial<Record<string, number>>> = Object.freeze({
  month: 1,
  quarter: 3,
  year: 12,
});

/** A unit by the name that a statement gives it, or null. */
export function timeUnitNamed(name: string): TimeUnit | null {
  const unit = name.toLowerCase();
  return Object.hasOwn(UNIT_LENGTHS, unit) || Object.hasOwn(UNIT_MONTHS, unit) ? (unit as TimeUnit) : null;
}

export function floorDivision(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

/** Months since the year 0. */
export function monthOf(instant: bigint): number {
  const [year, month] = dateOf(instant);
  return year * 12 + month - 1;
}

/** The start of a month that `monthOf` counts; beyond the years 1 to 9999, an instant that no constant says. */
export function startOfMonth(month: number): bigint {
  const year = Math.floor(month / 12);
  if (year < 1) return INSTANT_MIN - 1n;
  return year > 9999 ? INSTANT_END : (instantOfDate(year, month - year * 12 + 1, 1) ?? INSTANT_END);
}

/** The first instant whose year is this one; null of the year 1, which a TIMESTAMPTZ of the year before it has, too. */
export const startOfYear = (year: number): bigint | null => (year === 1 ? null : startOfMonth(year * 12));

/** The start of the unit that an instant lies in. */
export function floorTo(unit: TimeUnit, instant: bigint): bigint {
  const months = UNIT_MONTHS[unit];
  if (months !== undefined) return startOfMonth(Math.floor(monthOf(instant) / months) * months);
  const length = UNIT_LENGTHS[unit] ?? 1n;
  const from = unit === 'week' ? FIRST_MONDAY : 0n;
  return floorDivision(instant - from, length) * length + from;
}

/** The start of the unit after the one that an instant lies in. */
export function nextOf(unit: TimeUnit, instant: bigint): bigint {
  const months = UNIT_MONTHS[unit];
  if (months !== undefined) return startOfMonth((Math.floor(monthOf(instant) / months) + 1) * months);
  return floorTo(unit, instant) + (UNIT_LENGTHS[unit] ?? 1n);
}
