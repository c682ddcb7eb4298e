import { TYPE } from '../system/types.ts';
import { quoteText } from '../binder/bound.ts';
import { unsupported } from '../binder/errors.ts';
import { argument, type Call, type Implementations } from './call.ts';

const now = ({ context }: Call): string => `CAST(${quoteText(context.now)} AS TIMESTAMP)`;

const FIELDS: ReadonlySet<string> = new Set(['century', 'day', 'decade', 'dow', 'doy', 'epoch', 'hour', 'isodow', 'isoyear', 'microseconds', 'millennium', 'milliseconds', 'minute', 'month', 'quarter', 'second', 'week', 'year']); // prettier-ignore

function part(call: Call): string {
  const field = call.given[0]?.literal?.toLowerCase();
  if (field === undefined || !FIELDS.has(field))
    throw unsupported(`the field ${String(field)} of a time`, call.at);
  const value = argument(call, 1);
  const got = `date_part('${field}', ${value})`;
  return call.result === TYPE.numeric ? `CAST(${got} AS DECIMAL(38, 6))` : `CAST(${got} AS DOUBLE)`;
}

/** Patterns of to_char that are used of times, as strftime has them. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/YYYY/g, '%Y'], [/MM/g, '%m'], [/DD/g, '%d'], [/HH24/g, '%H'], [/HH12|HH/g, '%I'], [/MI/g, '%M'], [/SS/g, '%S'], [/MS/g, '%g'], [/US/g, '%f'], [/TZ|OF/g, ''],
]; // prettier-ignore

function toChar(call: Call): string {
  const literal = call.given[1]?.literal;
  const type = call.args[0]?.type;
  if (typeof literal !== 'string' || (type !== TYPE.timestamp && type !== TYPE.timestamptz)) {
    throw unsupported('to_char of other than a time by a written pattern', call.at);
  }
  const pattern = PATTERNS.reduce(
    (text, [from, to]) => text.replace(from, () => to),
    literal.replaceAll('%', '%%'),
  ).replaceAll('"', '');
  return `strftime(${argument(call, 0)}, ${quoteText(pattern)})`;
}

export const DATE_FUNCTIONS: Implementations = {
  now,
  transaction_timestamp: now,
  statement_timestamp: now,
  clock_timestamp: now,
  pg_postmaster_start_time: now,
  pg_conf_load_time: now,
  timeofday: (call) => quoteText(call.context.now),
  date_part: part,
  extract: part,
  date_trunc: `date_trunc($1, $2)`,
  to_timestamp: 'CAST(make_timestamp(CAST($1 * 1000000 AS BIGINT)) AS TIMESTAMP)',
  to_char: toChar,
  timezone: '$2',
  timestamptz: 'CAST($1 AS TIMESTAMP)',
  date: 'CAST($1 AS DATE)',
};
