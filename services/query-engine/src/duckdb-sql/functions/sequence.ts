/** SEQUENCE: the numbers or instants of a series as a list, which is short; generate_series makes rows one after the other. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { UNNESTED_ELEMENTS_MAX } from '../../limits.ts';
import { writeArithmetic, writeQuotient } from '../arithmetic.ts';
import { jsonArray, jsonText } from '../json.ts';
import { numberLiteral, quoteText } from '../literal.ts';
import { toNumber, toTemporal } from '../types/convert.ts';
import { JSON_TYPE, duckdbType, integer, temporal, typeLabel, type Typed } from '../types/sql-type.ts';
import type { TextBudget } from '../text-budget.ts';
import { at, type Writer } from './writer.ts';
import { given } from '../named.ts';

/** Of a step that may hold months: DuckDB takes 30 days for one, and a February has 28. */
const LEAST_PART = 0.9;
const LEAST_MONTH_SECONDS = 28 * 86_400;

export const ZERO_STEP = `error(${quoteText('the step of generate_series is 0')})`;
/** Bytes that an element takes of what a text may have, about: of many rows, each series is shorter. */
const ELEMENT_BYTES = 8;

const elementsMax = ({ valueBytes }: TextBudget): number =>
  Math.min(UNNESTED_ELEMENTS_MAX, Math.floor(valueBytes / ELEMENT_BYTES));

const tooMany = (max: number): string =>
  `error(${quoteText(`a series of more than ${max} elements for one row; take fewer rows, or a series of constants`)})`;

/** A number that a series counts by. */
export function exactStep(value: Typed): Typed {
  const number = toNumber(value);
  if (number.type.kind === 'double') throw unfitStep(value);
  return number;
}

export function unfitStep({ type }: Typed): PenstockError {
  const message =
    `Type error: generate_series cannot count by ${typeLabel(type)}; it takes whole numbers and decimals, ` +
    `or timestamps and an INTERVAL; write CAST(x AS BIGINT)`;
  return new PenstockError('TYPE_ERROR', message);
}

export function stepOfInstants(step: Typed | undefined): Typed {
  if (step === undefined) {
    const message = "Type error: generate_series of timestamps takes a step, such as INTERVAL '1 day'";
    throw new PenstockError('TYPE_ERROR', message);
  }
  if (!['temporal', 'text', 'null'].includes(step.type.kind)) throw unfitStep(step);
  return step;
}

/** About how many instants there are, never too few. */
export function instantsBetween(from: string, to: string, by: string): string {
  const seconds = `epoch(${by}) * CASE WHEN abs(epoch(${by})) < ${LEAST_MONTH_SECONDS} THEN 1 ELSE ${LEAST_PART} END`;
  return `(epoch(${to}) - epoch(${from})) / (${seconds})`;
}

/** The place of the last number, from 0; -1 where there is none, what `tooMany` says where there are more than `max`. */
export function lastPlace(
  { from, to, by }: { readonly from: Typed; readonly to: Typed; readonly by: Typed },
  max: number,
  tooMany: string,
): string {
  const last = writeQuotient(writeArithmetic('-', to, from), by).sql;
  const isNone = `(${by.sql} > 0 AND ${from.sql} > ${to.sql}) OR (${by.sql} < 0 AND ${from.sql} < ${to.sql})`;
  return (
    `CASE WHEN ${by.sql} = 0 THEN ${ZERO_STEP} WHEN ${isNone} THEN -1 ` +
    `WHEN ${last} >= ${max} THEN ${tooMany} ELSE CAST(${last} AS BIGINT) END`
  );
}

const DIGITS = 7;

/** The three as fields of `v`, so that none is written twice. */
function named(values: readonly Typed[], made: string): string {
  const fields = values.map(({ sql }) => sql).join(', ');
  const types = values.map(({ type }, i) => `${'ftb'.charAt(i)} ${duckdbType(type)}`).join(', ');
  return given('v', `CAST(row(${fields}) AS STRUCT(${types}))`, made);
}

function numbers(values: readonly Typed[], max: number): string {
  const given = [at(values, 0), at(values, 1), values[2] ?? numberLiteral({ digits: 1n, scale: 0 })].map(
    exactStep,
  );
  const [from, to, by] = given.map(({ type }, i): Typed => ({ sql: `v.${'ftb'.charAt(i)}`, type }));
  if (from === undefined || to === undefined || by === undefined) throw new Error('a series without an end');
  const place: Typed = { sql: 'i', type: integer(DIGITS) };
  const value = writeArithmetic('+', from, writeArithmetic('*', place, by));
  const places = `range(0, ${lastPlace({ from, to, by }, max, tooMany(max))} + 1)`;
  const list = `list_transform(${places}, lambda i: ${value.sql})`;
  const isThere = ['f', 't', 'b'].map((field) => `v.${field} IS NOT NULL`).join(' AND ');
  const json = jsonArray(list, (e) => jsonText({ sql: e, type: value.type }));
  return named(given, `CASE WHEN ${isThere} THEN ${json} END`);
}

function instants(values: readonly Typed[], max: number): string {
  const step = stepOfInstants(values[2]);
  const type = temporal('TIMESTAMP');
  const given: readonly Typed[] = [
    { sql: toTemporal(at(values, 0), 'TIMESTAMP'), type },
    { sql: toTemporal(at(values, 1), 'TIMESTAMP'), type },
    { sql: toTemporal(step, 'INTERVAL'), type: temporal('INTERVAL') },
  ];
  const count = instantsBetween('v.f', 'v.t', 'v.b');
  const list = `generate_series(v.f, v.t, v.b)`;
  const json = jsonArray(list, (e) => `ps_json_of_text(CAST(${e} AS VARCHAR))`);
  const made =
    `CASE WHEN epoch(v.b) = 0 THEN ${ZERO_STEP} WHEN ${count} >= ${max} THEN ${tooMany(max)} ` +
    `WHEN v.f IS NOT NULL AND v.t IS NOT NULL AND v.b IS NOT NULL THEN ${json} END`;
  return named(given, made);
}

export const sequence: Writer = (values, budget) => {
  const max = elementsMax(budget);
  const isOfInstants = values.some(({ type }) => type.kind === 'temporal');
  return { sql: isOfInstants ? instants(values, max) : numbers(values, max), type: JSON_TYPE };
};
