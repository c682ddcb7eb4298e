/** Dates and times between text and PostgreSQL's binary form: days and microseconds since 2000-01-01. */
import { withoutTrailing } from '@penstock/common/text/without-trailing.ts';
import { PgError } from '../errors/pg-error.ts';

const EPOCH_MS = Date.UTC(2000, 0, 1);
const DAY_MS = 86_400_000;
const DATE = /^(\d{1,6})-(\d\d)-(\d\d)( \(BC\))?$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?$/;

const notOne = (text: string, type: string): PgError =>
  new PgError({ code: '22008', message: `${type} out of range: "${text}"` });

/** Days since 2000-01-01. */
export function dateDays(text: string): number {
  const parts = DATE.exec(text);
  if (parts === null) throw notOne(text, 'date');
  const year = parts[4] === undefined ? Number(parts[1]) : 1 - Number(parts[1]);
  const at = new Date(0);
  at.setUTCFullYear(year, Number(parts[2]) - 1, Number(parts[3]));
  return Math.round((at.getTime() - EPOCH_MS) / DAY_MS);
}

/** Microseconds since midnight. */
export function timeMicros(text: string): bigint {
  const parts = TIME.exec(text);
  if (parts === null) throw notOne(text, 'time');
  const seconds = Number(parts[1]) * 3600 + Number(parts[2]) * 60 + Number(parts[3]);
  return BigInt(seconds) * 1_000_000n + BigInt((parts[4] ?? '').padEnd(6, '0').slice(0, 6));
}

/** Microseconds since 2000-01-01 00:00, of a timestamp with a space or a T; an offset of zero may follow. */
export function timestampMicros(text: string): bigint {
  const [date = '', time = ''] = text.replace(/(?:Z|\+00(?::00)?)$/, '').split(/[T ](?=\d\d:)/);
  return BigInt(dateDays(date)) * 86_400_000_000n + timeMicros(time);
}

const two = (value: number): string => String(value).padStart(2, '0');

/** @throws PgError where the days are beyond what dates can be here */
export function dateOfDays(days: number): string {
  const at = new Date(EPOCH_MS + days * DAY_MS);
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1) throw notOne(String(days), 'date');
  const year = String(at.getUTCFullYear()).padStart(4, '0');
  return `${year}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`;
}

export function timeOfMicros(micros: bigint): string {
  const seconds = Number(micros / 1_000_000n);
  const fraction = withoutTrailing(String(micros % 1_000_000n).padStart(6, '0'), '0');
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return fraction === '' ? clock : `${clock}.${fraction}`;
}

const DAY_MICROS = 86_400_000_000n;

export function timestampOfMicros(micros: bigint): string {
  const time = ((micros % DAY_MICROS) + DAY_MICROS) % DAY_MICROS;
  return `${dateOfDays(Number((micros - time) / DAY_MICROS))} ${timeOfMicros(time)}`;
}

/** An interval in binary: microseconds, days and months, each with a sign of its own. */
export function intervalText(bytes: Buffer): string {
  const micros = bytes.readBigInt64BE(0);
  const clock = timeOfMicros(micros < 0n ? -micros : micros);
  const [days, months] = [bytes.readInt32BE(8), bytes.readInt32BE(12)];
  const parts = [
    ...(months === 0 ? [] : [`${months} months`]),
    ...(days === 0 ? [] : [`${days} days`]),
    ...(micros === 0n && (days !== 0 || months !== 0) ? [] : [`${micros < 0n ? '-' : ''}${clock}`]),
  ];
  return parts.join(' ');
}
