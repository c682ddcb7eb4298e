/**
 * Dates and times of parameters, as clients write them, in the form that the engine compares. PostgreSQL takes what does not
 * belong to a type and leaves it out: drivers send `2024-02-29 +00` for a date, `2024-02-29 00:00:00+00` for a timestamp.
 */
import { PgError } from '../errors/pg-error.ts';
import type { TypeName } from './oids.ts';

const OFFSET = String.raw`(Z|[+-]\d\d(?::?\d\d(?::\d\d)?)?)`;
const CLOCK = String.raw`(\d{1,2}):(\d\d)(?::(\d\d(?:\.\d{1,9})?))?`;
const MOMENT = new RegExp(String.raw`^(\d{4,6})-(\d{1,2})-(\d{1,2})(?:[T ]+${CLOCK})? *${OFFSET}?$`, 'i');
const TIME_OF_DAY = new RegExp(String.raw`^${CLOCK} *${OFFSET}?$`, 'i');

const invalid = (type: string, text: string): PgError =>
  new PgError({
    code: '22007',
    message: `invalid input syntax for type ${type}: "${text.slice(0, 100)}"`,
    hint: 'write it as ISO 8601 has it: 2024-02-29, 23:59:59, 2024-02-29 23:59:59+00',
  });

const outOfRange = (text: string): PgError =>
  new PgError({ code: '22008', message: `date/time field value out of range: "${text.slice(0, 100)}"` });

const two = (digits: string): string => digits.padStart(2, '0');

function clock(text: string, hour = '0', minute = '00', second = '00'): string {
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) >= 60) throw outOfRange(text);
  return `${two(hour)}:${minute}:${second}`;
}

/** The text of a value of this type; what is no date or time is as it was. @throws PgError 22007 or 22008 */
export function temporalText(type: TypeName, given: string): string {
  if (type !== 'date' && type !== 'time' && type !== 'timestamp' && type !== 'timestamptz') return given;
  const text = given.trim();
  if (type === 'time') {
    const parts = TIME_OF_DAY.exec(text);
    if (parts !== null) return clock(text, parts[1], parts[2], parts[3]);
  }
  const parts = MOMENT.exec(text);
  if (parts === null) throw invalid(type, text);
  const [, year = '', month = '', day = '', hour, minute, second, offset = ''] = parts;
  const at = new Date(0);
  at.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (at.getUTCMonth() !== Number(month) - 1 || at.getUTCDate() !== Number(day)) throw outOfRange(text);
  const date = `${year}-${two(month)}-${two(day)}`;
  const time = clock(text, hour, minute, second);
  switch (type) {
    case 'date':
      return date;
    case 'time':
      return time;
    case 'timestamp':
      return `${date} ${time}`;
    case 'timestamptz':
      return `${date} ${time}${offset.toUpperCase() === 'Z' ? '+00' : offset}`;
  }
}
