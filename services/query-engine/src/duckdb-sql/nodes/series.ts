import { SERIES_ROWS_MAX } from '../../limits.ts';
import type { Series } from '../../logical/plan.ts';
import { writeArithmetic } from '../arithmetic.ts';
import { blockFrom, type Block } from '../block.ts';
import { writeExpression } from '../expression.ts';
import { ZERO_STEP, exactStep, instantsBetween, lastPlace, stepOfInstants } from '../functions/sequence.ts';
import { numberLiteral, quoteText } from '../literal.ts';
import type { NodeWriter } from '../node-writer.ts';
import { placed } from '../placed.ts';
import { toTemporal } from '../types/convert.ts';
import { integer, NULL_TYPE, temporal, type Typed } from '../types/sql-type.ts';

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
function series(given: readonly Typed[], writer: NodeWriter): Rows {
  return given.some(({ type }) => type.kind === 'temporal')
    ? instants(given, writer)
    : numbers(given, writer);
}

/** Each number is the start and so many steps: exact, whatever the step. */
function numbers([start = NULL_VALUE, stop = NULL_VALUE, step]: readonly Typed[], writer: NodeWriter): Rows {
  const [s, e, p] = [start, stop, step ?? numberLiteral({ digits: 1n, scale: 0 })].map(exactStep);
  if (s === undefined || e === undefined || p === undefined) throw new Error('a series without an end');
  const named = (value: Typed): Typed => ({ sql: writer.freshAlias(), type: value.type });
  const [from, to, by] = [named(s), named(e), named(p)];
  const count = lastPlace({ from, to, by }, SERIES_ROWS_MAX, tooMany);
  const index: Typed = { sql: writer.freshAlias(), type: integer(PLACE_DIGITS) };
  const ends = `(SELECT ${s.sql} AS ${from.sql}, ${e.sql} AS ${to.sql}, ${p.sql} AS ${by.sql}) ${writer.freshAlias()}`;
  return {
    value: writeArithmetic('+', from, writeArithmetic('*', index, by)),
    place: `${index.sql} + 1`,
    from: `${ends}, LATERAL generate_series(0, ${count}) ${writer.freshAlias()}(${index.sql})`,
  };
}

/** Each instant is the one before and a step, as in PostgreSQL: a month after January 31 is February 29, then March 29. */
function instants(
  [start = NULL_VALUE, stop = NULL_VALUE, given]: readonly Typed[],
  writer: NodeWriter,
): Rows {
  const step = stepOfInstants(given);
  const zoned = [start, stop].some(({ type }) => type.kind === 'temporal' && type.sql === 'TIMESTAMPTZ');
  const type = temporal(zoned ? 'TIMESTAMPTZ' : 'TIMESTAMP');
  const written = zoned ? 'TIMESTAMPTZ' : 'TIMESTAMP';
  const [from, to, by, value] = Array.from({ length: 4 }, () => writer.freshAlias());
  const ends =
    `(SELECT ${toTemporal(start, written)} AS ${from}, ${toTemporal(stop, written)} AS ${to}, ` +
    `${toTemporal(step, 'INTERVAL')} AS ${by}) ${writer.freshAlias()}`;
  const rows = instantsBetween(`${from}`, `${to}`, `${by}`);
  const checked = `CASE WHEN epoch(${by}) = 0 THEN ${ZERO_STEP} WHEN ${rows} >= ${SERIES_ROWS_MAX} THEN ${tooMany} ELSE ${to} END`;
  return {
    value: { sql: `${value}`, type },
    place: `row_number() OVER (ORDER BY CASE WHEN epoch(${by}) > 0 THEN epoch(${value}) ELSE -epoch(${value}) END)`,
    from: `${ends}, LATERAL generate_series(${from}, ${checked}, ${by}) ${writer.freshAlias()}(${value})`,
  };
}
