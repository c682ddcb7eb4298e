/** Intervals, as the engine writes them, in PostgreSQL's forms: src/backend/utils/adt/datetime.c, EncodeInterval. */

import { withoutTrailing } from '@penstock/common/text/without-trailing.ts';

/** Each part has a sign of its own. */
export interface Interval {
  readonly months: number;
  readonly days: number;
  readonly micros: bigint;
}

const COUNT = /^-?\d{1,9}$/;
const CLOCK = /^(-?)(\d{1,10}):(\d\d):(\d\d)(?:\.(\d{1,6}))?$/;

/** Units by their names, singular or plural: so many months, or days. */
const UNITS: ReadonlyMap<string, Pick<Interval, 'months' | 'days'>> = new Map(
  (
    [
      ['year', { months: 12, days: 0 }],
      ['month', { months: 1, days: 0 }],
      ['day', { months: 0, days: 1 }],
    ] as const
  ).flatMap(([name, unit]) => [[name, unit] as const, [`${name}s`, unit] as const]),
);

function readClock(text: string): bigint | null {
  const parts = CLOCK.exec(text);
  if (parts === null) return null;
  const [, sign = '', hours = '0', minutes = '0', seconds = '0', fraction = ''] = parts;
  const whole = BigInt(hours) * 3_600n + BigInt(minutes) * 60n + BigInt(seconds);
  const micros = whole * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
  return sign === '-' ? -micros : micros;
}

/** `1 year 2 months -3 days 04:05:06.7`; null for what is none. */
export function readInterval(text: string): Interval | null {
  const words = text.split(' ');
  const clock = words.length % 2 === 1 ? readClock(words.pop() ?? '') : 0n;
  if (clock === null) return null;
  let [months, days] = [0, 0];
  for (let at = 0; at < words.length; at += 2) {
    const [count = '', name = ''] = words.slice(at, at + 2);
    const unit = UNITS.get(name);
    if (unit === undefined || !COUNT.test(count)) return null;
    months += Number(count) * unit.months;
    days += Number(count) * unit.days;
  }
  return { months, days, micros: clock };
}

const two = (value: bigint): string => String(value).padStart(2, '0');

function clockText(micros: bigint): string {
  const all = micros < 0n ? -micros : micros;
  const seconds = all / 1_000_000n;
  const fraction = withoutTrailing(String(all % 1_000_000n).padStart(6, '0'), '0');
  const clock = `${two(seconds / 3_600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}`;
  return fraction === '' ? clock : `${clock}.${fraction}`;
}

/** In the style `postgres`: behind a part that is negative, one that is not has its sign too. */
export function intervalText({ months, days, micros }: Interval): string {
  const parts: string[] = [];
  let isBehindNegative = false;
  const add = (count: number, unit: string): void => {
    if (count === 0) return;
    const sign = isBehindNegative && count > 0 ? '+' : '';
    parts.push(`${sign}${count} ${unit}${count === 1 ? '' : 's'}`);
    isBehindNegative = count < 0;
  };
  add(Math.trunc(months / 12), 'year');
  add(months % 12, 'mon');
  add(days, 'day');
  if (micros !== 0n || parts.length === 0) {
    const sign = micros < 0n ? '-' : isBehindNegative ? '+' : '';
    parts.push(sign + clockText(micros));
  }
  return parts.join(' ');
}

export function intervalBytes({ months, days, micros }: Interval): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeBigInt64BE(micros, 0);
  bytes.writeInt32BE(days, 8);
  bytes.writeInt32BE(months, 12);
  return bytes;
}
