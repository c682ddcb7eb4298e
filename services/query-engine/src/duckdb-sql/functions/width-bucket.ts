/** The bucket that a number is in, of several of equal width ("Mathematical Functions" of PostgreSQL). */
import { writeArithmetic, writeQuotient } from '../arithmetic.ts';
import { named } from '../named.ts';
import { toNumber } from '../types/convert.ts';
import { integer, type NumberType, type Typed } from '../types/sql-type.ts';
import { at, type Writer } from './writer.ts';

type NumberValue = Typed & { readonly type: NumberType };

const NO_BUCKETS = "error('WIDTH_BUCKET: count must be greater than zero')";
const NO_WIDTH = "error('WIDTH_BUCKET: lower bound cannot equal upper bound')";

/** How many whole buckets a distance is, of those that a width is divided into. */
function bucketsIn(distance: Typed, width: Typed, count: Typed): string {
  if (distance.type.kind !== 'double' && width.type.kind !== 'double')
    return writeQuotient(writeArithmetic('*', distance, count), width).sql;
  const share = writeArithmetic('/', distance, width);
  // Rounding may make a whole width of what is less.
  return `least(floor(${writeArithmetic('*', count, share).sql}), ${count.sql} - 1)`;
}

/** Between two different bounds, of which the first may be the greater. */
function bucketBetween(value: Typed, from: Typed, to: Typed, count: Typed): string {
  const minus = (a: Typed, b: Typed): Typed => writeArithmetic('-', a, b);
  const part = (before: '<' | '>', distance: Typed, width: Typed): string =>
    `CASE WHEN ${value.sql} ${before} ${from.sql} THEN 0 WHEN NOT ${value.sql} ${before} ${to.sql} THEN ${count.sql} + 1 ` +
    `ELSE ${bucketsIn(distance, width, count)} + 1 END`;
  const upwards = part('<', minus(value, from), minus(to, from));
  const downwards = part('>', minus(from, value), minus(from, to));
  return `CASE WHEN ${from.sql} < ${to.sql} THEN ${upwards} ELSE ${downwards} END`;
}

const whole = (number: NumberValue): Typed =>
  number.type.kind === 'integer' ? number : { sql: `CAST(${number.sql} AS BIGINT)`, type: integer(18) };

export const widthBucket: Writer = (values) => {
  const number = (index: number): NumberValue => toNumber(at(values, index));
  const sql = named(number(0), 'bucketed', (value) =>
    named(number(1), 'low', (from) =>
      named(number(2), 'high', (to) =>
        named(whole(number(3)), 'buckets', (count) => {
          const isNull = [value, from, to, count].map((one) => `${one.sql} IS NULL`).join(' OR ');
          return (
            `CASE WHEN ${isNull} THEN NULL WHEN ${count.sql} <= 0 THEN ${NO_BUCKETS} ` +
            `WHEN ${from.sql} = ${to.sql} THEN ${NO_WIDTH} ELSE ${bucketBetween(value, from, to, count)} END`
          );
        }),
      ),
    ),
  );
  return { sql: `CAST(${sql} AS BIGINT)`, type: integer(18) };
};
