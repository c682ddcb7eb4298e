import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { SERIES_ROWS_MAX } from '../../limits.ts';
import type { Series } from '../../logical/plan.ts';
import { writeArithmetic, writeQuotient } from '../arithmetic.ts';
import { blockFrom, type Block } from '../block.ts';
import { writeExpression } from '../expression.ts';
import { numberLiteral, quoteText } from '../literal.ts';
import type { NodeWriter } from '../node-writer.ts';
import { placed } from '../placed.ts';
import { toNumber, toTemporal } from '../types/convert.ts';
import { integer, NULL_TYPE, temporal, typeLabel, type Typed } from '../types/sql-type.ts';

/** Rows as SQL: what the columns of the function are, and where from. */
interface Rows {
  readonly value: Typed;
  /** From 1, as BIGINT. */
  readonly place: string;
  readonly from: string;
}

/** The rows of generate_series. They are made one after the other: a list of all of them is never there. */
export function writeSeries(node: Series, writer: NodeWriter): Block {
  const given = node.arguments.map((argument) => writeExpression(argument, writer));
  const { value, place, from } = placed(node.pos, () => series(given, writer));
  const columns = [`${value.sql} AS ${writer.declare(node.column, value.type)}`];
  if (node.ordinality !== null) {
    const name = writer.declare(node.ordinality, {
      kind: 'integer',
      sql: 'BIGINT',
      integerDigits: PLACE_DIGITS,
    });
    columns.push(`CAST(${place} AS BIGINT) AS ${name}`);
  }
  return blockFrom(`(SELECT ${columns.join(', ')} FROM ${from}) ${writer.freshAlias()}`);
}

/** Digits of the place of a row. */
const PLACE_DIGITS = 7;

const NULL_VALUE: Typed = Object.freeze({ sql: 'NULL', type: NULL_TYPE });

const tooMany = `error(${quoteText(`generate_series would make more than ${SERIES_ROWS_MAX} rows`)})`;
const ZERO_STEP = `error(${quoteText('the step of generate_series is 0')})`;

function series(given: readonly Typed[], writer: NodeWriter): Rows {
  return given.some(({ type }) => type.kind === 'temporal')
    ? instants(given, writer)
    : numbers(given, writer);
}

function unfit({ type }: Typed): PenstockError {
  const message =
    `Type error: generate_series cannot count by ${typeLabel(type)}; it takes whole numbers and decimals, ` +
    `or timestamps and an INTERVAL; write CAST(x AS BIGINT)`;
  return new PenstockError('TYPE_ERROR', message);
}

function exact(value: Typed): Typed {
  const number = toNumber(value);
  if (number.type.kind === 'double') throw unfit(value);
  return number;
}

/** Each number is the start and so many steps: exact, whatever the step. */
function numbers([start = NULL_VALUE, stop = NULL_VALUE, step]: readonly Typed[], writer: NodeWriter): Rows {
  const [s, e, p] = [start, stop, step ?? numberLiteral({ digits: 1n, scale: 0 })].map(exact);
  if (s === undefined || e === undefined || p === undefined) throw new Error('a series without an end');
  const named = (value: Typed): Typed => ({ sql: writer.freshAlias(), type: value.type });
  const [from, to, by] = [named(s), named(e), named(p)];
  const last = writeQuotient(writeArithmetic('-', to, from), by).sql;
  const isNone = `(${by.sql} > 0 AND ${from.sql} > ${to.sql}) OR (${by.sql} < 0 AND ${from.sql} < ${to.sql})`;
  const count =
    `CASE WHEN ${by.sql} = 0 THEN ${ZERO_STEP} WHEN ${isNone} THEN -1 ` +
    `WHEN ${last} >= ${SERIES_ROWS_MAX} THEN ${tooMany} ELSE CAST(${last} AS BIGINT) END`;
  const index: Typed = { sql: writer.freshAlias(), type: integer(PLACE_DIGITS) };
  const ends = `(SELECT ${s.sql} AS ${from.sql}, ${e.sql} AS ${to.sql}, ${p.sql} AS ${by.sql}) ${writer.freshAlias()}`;
  return {
    value: writeArithmetic('+', from, writeArithmetic('*', index, by)),
    place: `${index.sql} + 1`,
    from: `${ends}, LATERAL generate_series(0, ${count}) ${writer.freshAlias()}(${index.sql})`,
  };
}

/** Of a step that may hold months: DuckDB takes 30 days for one, and a February has 28. */
const LEAST_PART = 0.9;
const LEAST_MONTH_SECONDS = 28 * 86_400;

/** Each instant is the one before and a step, as in PostgreSQL: a month after January 31 is February 29, then March 29. */
function instants([start = NULL_VALUE, stop = NULL_VALUE, step]: readonly Typed[], writer: NodeWriter): Rows {
  if (step === undefined) {
    const message = "Type error: generate_series of timestamps takes a step, such as INTERVAL '1 day'";
    throw new PenstockError('TYPE_ERROR', message);
  }
  if (step.type.kind !== 'temporal' && step.type.kind !== 'text' && step.type.kind !== 'null')
    throw unfit(step);
  const zoned = [start, stop].some(({ type }) => type.kind === 'temporal' && type.sql === 'TIMESTAMPTZ');
  const type = temporal(zoned ? 'TIMESTAMPTZ' : 'TIMESTAMP');
  const written = zoned ? 'TIMESTAMPTZ' : 'TIMESTAMP';
  const [from, to, by, value] = Array.from({ length: 4 }, () => writer.freshAlias());
  const ends =
    `(SELECT ${toTemporal(start, written)} AS ${from}, ${toTemporal(stop, written)} AS ${to}, ` +
    `${toTemporal(step, 'INTERVAL')} AS ${by}) ${writer.freshAlias()}`;
  const seconds = `epoch(${by}) * CASE WHEN abs(epoch(${by})) < ${LEAST_MONTH_SECONDS} THEN 1 ELSE ${LEAST_PART} END`;
  const rows = `(epoch(${to}) - epoch(${from})) / (${seconds})`;
  const checked = `CASE WHEN epoch(${by}) = 0 THEN ${ZERO_STEP} WHEN ${rows} >= ${SERIES_ROWS_MAX} THEN ${tooMany} ELSE ${to} END`;
  return {
    value: { sql: `${value}`, type },
    place: `row_number() OVER (ORDER BY CASE WHEN epoch(${by}) > 0 THEN epoch(${value}) ELSE -epoch(${value}) END)`,
    from: `${ends}, LATERAL generate_series(${from}, ${checked}, ${by}) ${writer.freshAlias()}(${value})`,
  };
}
