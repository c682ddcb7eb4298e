/** Constant intervals. */
import type { LiteralValue } from '../../logical/expression.ts';
import { DAY, HOUR, MINUTE, SECOND } from './instant.ts';

export interface Interval {
  readonly months: bigint;
  /** Days and what is smaller, in microseconds. */
  readonly micros: bigint;
}

const LENGTHS: Readonly<Partial<Record<string, Interval>>> = Object.freeze({
  millennium: { months: 12_000n, micros: 0n },
  century: { months: 1200n, micros: 0n },
  decade: { months: 120n, micros: 0n },
  year: { months: 12n, micros: 0n },
  quarter: { months: 3n, micros: 0n },
  month: { months: 1n, micros: 0n },
  mon: { months: 1n, micros: 0n },
  week: { months: 0n, micros: 7n * DAY },
  day: { months: 0n, micros: DAY },
  hour: { months: 0n, micros: HOUR },
  minute: { months: 0n, micros: MINUTE },
  second: { months: 0n, micros: SECOND },
  millisecond: { months: 0n, micros: 1000n },
  microsecond: { months: 0n, micros: 1n },
});

const lengthNamed = (name: string): Interval | undefined =>
  Object.hasOwn(LENGTHS, name) ? LENGTHS[name] : undefined;

const COUNT_OF_UNITS = /^([+-]?\d{1,9})\s*([a-z]+)\s*/i;
const CLOCK = /^([+-]?)(\d{1,7}):(\d\d):(\d\d)(?:\.(\d{1,6}))?$/;

/** The interval that a constant is; null where it is none, or written with more than whole units and a time of day. */
export function intervalOf(value: LiteralValue): Interval | null {
  if (value.type !== 'interval') return null;
  let rest = (value.unit === null ? value.value : `${value.value} ${value.unit}`).trim();
  if (rest === '') return null;
  let [months, micros] = [0n, 0n];
  for (let part = COUNT_OF_UNITS.exec(rest); part !== null; part = COUNT_OF_UNITS.exec(rest)) {
    const [whole, count = '0', name = ''] = part;
    const length = lengthNamed(name.toLowerCase()) ?? lengthNamed(name.toLowerCase().replace(/s$/, ''));
    if (length === undefined) return null;
    months += BigInt(count) * length.months;
    micros += BigInt(count) * length.micros;
    rest = rest.slice(whole.length);
  }
  if (rest === '') return { months, micros };
  const [, sign, hours = '', minutes = '', seconds = '', fraction = ''] = CLOCK.exec(rest) ?? [];
  if (hours === '') return null;
  const clock =
    BigInt(hours) * HOUR +
    BigInt(minutes) * MINUTE +
    BigInt(seconds) * SECOND +
    BigInt(fraction.padEnd(6, '0'));
  return { months, micros: micros + (sign === '-' ? -clock : clock) };
}
