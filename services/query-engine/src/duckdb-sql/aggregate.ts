/**
 * Aggregates and window functions.
 *
 * Those whose answer would depend on the order of equal rows get an order, since a page must come out alike on every
 * run: ARG_MIN breaks ties by its first argument, ANY_VALUE is the least value, lists are sorted where the statement
 * does not say how.
 */
import type { AggregateCall, Expression, SortKey } from '../logical/expression.ts';
import { elementsOf } from '../logical/build-expression.ts';
import type { NamedForm, UniqueForm } from '../logical/functions/definition.ts';
import { aggregateNamed } from '../logical/functions/list.ts';
import { usesNoColumn } from '../optimizer/column-use.ts';
import { commonType, digitsOf } from './types/common-type.ts';
import { convertTo, toBoolean, toNumber } from './types/convert.ts';
import {
  BOOLEAN,
  DOUBLE,
  EXACT_DIGITS_MAX,
  JSON_TYPE,
  NULL_TYPE,
  REAL,
  asReal,
  integer,
  isReal,
  quotientsIn,
  type SqlType,
  type Typed,
} from './types/sql-type.ts';
import { writeExpression } from './expression.ts';
import { ROW_COUNT_DIGITS, exactMean, exactSquares } from './exact-quotient.ts';
import { at } from './functions/writer.ts';
import { jsonArray, jsonText } from './json.ts';
import { jsonList, jsonMap, textList } from './list-aggregates.ts';
import type { WriteScope } from './scope.ts';
import { placed } from './placed.ts';
import { writeSortKey } from './sort.ts';

/**
 * A call in parts: FILTER and OVER go after the call, and after those `beside` it, whose values are put together with it;
 * `wrap` goes around all of it.
 */
export interface Parts {
  readonly name: string;
  readonly arguments: string;
  readonly type: SqlType;
  readonly order?: string;
  readonly beside?: readonly { readonly name: string; readonly arguments: string }[];
  readonly wrap?: (call: string, ...beside: string[]) => string;
}

type Writer = (values: readonly Typed[], call: AggregateCall, scope: WriteScope) => Parts;

const asDouble = (value: Typed): string => `CAST(${toNumber(value).sql} AS DOUBLE)`;

function sum(values: readonly Typed[]): Parts {
  const number = toNumber(at(values, 0));
  const digits = digitsOf(number.type);
  if (isReal(number.type))
    return { name: 'sum', arguments: number.sql, type: REAL, wrap: (call) => asReal(call).sql };
  if (digits === null) return { name: 'sum', arguments: number.sql, type: DOUBLE };
  // What was rounded goes on as DOUBLE where it might end the query with too many digits.
  if (
    quotientsIn(number.type) > 0 &&
    digits.integerDigits + ROW_COUNT_DIGITS + digits.scale > EXACT_DIGITS_MAX
  )
    return { name: 'sum', arguments: asDouble(number), type: DOUBLE };
  const integerDigits = Math.min(digits.integerDigits + ROW_COUNT_DIGITS, EXACT_DIGITS_MAX - digits.scale);
  const type: SqlType =
    digits.scale === 0
      ? { kind: 'integer', sql: 'HUGEINT', integerDigits }
      : { kind: 'decimal', width: EXACT_DIGITS_MAX, scale: digits.scale, integerDigits };
  const cast = digits.scale === 0 ? 'HUGEINT' : `DECIMAL(${EXACT_DIGITS_MAX},${digits.scale})`;
  return { name: 'sum', arguments: number.sql, type, wrap: (call) => `CAST(${call} AS ${cast})` };
}

function avg(values: readonly Typed[]): Parts {
  const { sql, type } = toNumber(at(values, 0));
  const mean = exactMean(type, '', '');
  if (mean === null)
    return { name: 'avg', arguments: quotientsIn(type) > 0 ? asDouble({ sql, type }) : sql, type: DOUBLE };
  return {
    name: 'sum',
    arguments: sql,
    type: mean.type,
    beside: [{ name: 'count', arguments: sql }],
    wrap: (sum, count = '') => exactMean(type, sum, count)?.sql ?? 'NULL',
  };
}

const doubles =
  (name: string) =>
  (values: readonly Typed[]): Parts => ({ name, arguments: values.map(asDouble).join(', '), type: DOUBLE });
/** Variances, and deviations, which are their roots; `less`: of how many values fewer than there are. */
const spread =
  (name: string): Writer =>
  (values, { distinct }) => {
    const squares = exactSquares(toNumber(at(values, 0)));
    // Two numbers may have one square.
    if (squares === null || distinct) return doubles(name)(values);
    const less = name.endsWith('_samp') ? 1 : 0;
    const root = name.startsWith('stddev') ? 'sqrt' : '';
    return {
      name: 'sum',
      arguments: squares.square,
      type: DOUBLE,
      beside: [
        { name: 'sum', arguments: squares.units },
        { name: 'count', arguments: squares.units },
      ],
      wrap: (sum, units = '', count = '') => `${root}(${squares.variance(sum, units, count, less)})`,
    };
  };
/** Of too few values there is none: NULL, as NaN would be greater than every number. */
const defined =
  (name: string): Writer =>
  (values) => ({ ...doubles(name)(values), wrap: (call) => `nullif(${call}, 'NaN'::DOUBLE)` });
const same =
  (name: string): Writer =>
  (values) => ({ name, arguments: at(values, 0).sql, type: at(values, 0).type });
const condition =
  (name: string, type: SqlType): Writer =>
  (values) => ({ name, arguments: toBoolean(at(values, 0)).sql, type });
const bits =
  (name: string): Writer =>
  (values) => ({
    name,
    arguments: `CAST(${toNumber(at(values, 0)).sql} AS HUGEINT)`,
    type: integer(EXACT_DIGITS_MAX),
  });
const COUNT_TYPE: SqlType = { kind: 'integer', sql: 'BIGINT', integerDigits: ROW_COUNT_DIGITS };

/** ARG_MIN and ARG_MAX: the key is the second argument, then the first. */
const byKey =
  (name: string): Writer =>
  (values) => {
    const [value, key] = [at(values, 0), at(values, 1)];
    return {
      name,
      arguments: `${value.sql}, CASE WHEN ${key.sql} IS NOT NULL THEN struct_pack(x := ${key.sql}, y := ${value.sql}) END`,
      type: value.type,
    };
  };

/** ORDER BY of an ordered-set aggregate; a constant cannot be sorted by, and needs no order either. */
function orderOf(operand: Typed, of: Expression | undefined, descending: boolean): { order?: string } {
  if (of === undefined || usesNoColumn(of)) return {};
  return { order: `${operand.sql} ${descending ? 'DESC' : 'ASC'}` };
}

/** DuckDB takes the fraction 0 of a descending order for that of an ascending one. */
const isNought = (fraction: Expression | undefined): boolean =>
  fraction?.kind === 'Literal' && fraction.value.type === 'number' && Number(fraction.value.text) === 0;

const percentile =
  (name: string): Writer =>
  (values, call, scope) => {
    const key = call.withinGroup[0];
    const operand = key === undefined ? at(values, 1) : writeExpression(key.expression, scope);
    const of: Typed = name === 'quantile_disc' ? operand : { sql: asDouble(operand), type: DOUBLE };
    const descending = key?.descending ?? false;
    const [asked] = call.arguments;
    const list = asked === undefined ? null : elementsOf(asked);
    const isFirstOfDescending = descending && (list ?? [asked]).every(isNought);
    const fractions = (list?.map((one) => writeExpression(one, scope)) ?? [at(values, 0)]).map((one) =>
      isFirstOfDescending ? '1::DOUBLE' : asDouble(one),
    );
    const order = orderOf(of, key?.expression, descending && !isFirstOfDescending);
    if (list === null)
      return { name, arguments: `${of.sql}, ${fractions.join('')}`, type: of.type, ...order };
    const made = (element: string): string => jsonText({ sql: element, type: of.type });
    return {
      name,
      arguments: `${of.sql}, [${fractions.join(', ')}]`,
      type: JSON_TYPE,
      ...order,
      wrap: (called) => jsonArray(called, made),
    };
  };

/** The most frequent value; of several the first by the order that was asked for, or the least. */
const mode: Writer = (values, call, scope) => {
  const [key] = call.withinGroup;
  const operand = key === undefined ? at(values, 0) : writeExpression(key.expression, scope);
  const own = orderOf(operand, key?.expression ?? call.arguments[0], key?.descending ?? false);
  const order = own.order === undefined ? undefined : orderBefore(call.orderBy, own.order, scope);
  return {
    name: 'mode',
    arguments: operand.sql,
    type: operand.type,
    ...(order === undefined ? {} : { order }),
  };
};

/** The least value; with an order, the first that is not NULL. */
const anyValue: Writer = (values, call, scope) => {
  const { sql, type } = at(values, 0);
  if (call.orderBy.length === 0 || usesNoColumn(call.arguments[0]))
    return { name: 'min', arguments: sql, type };
  return { name: 'any_value', arguments: sql, type, order: orderBefore(call.orderBy, `${sql} ASC`, scope) };
};

function orderBefore(keys: readonly SortKey[], last: string, scope: WriteScope): string {
  return [...keys.map((key) => writeSortKey(key, scope)), last].join(', ');
}

/** Forms that many functions share, by DuckDB's name. */
const NAMED: Readonly<Record<NamedForm, (name: string) => Writer>> = Object.freeze({
  doubles,
  defined,
  spread,
  same,
  condition: (name) => condition(name, BOOLEAN),
  bits,
  byKey,
  percentile,
  place: (name) => () => ({ name, arguments: '', type: COUNT_TYPE }),
  share: (name) => () => ({ name, arguments: '', type: DOUBLE }),
  shifted,
});

const UNIQUE: Readonly<Record<UniqueForm, Writer>> = Object.freeze({
  count: (values) => ({ name: 'count', arguments: values[0]?.sql ?? '*', type: COUNT_TYPE }),
  countIf: (values) => ({
    name: 'count',
    arguments: `CASE WHEN ${toBoolean(at(values, 0)).sql} THEN 1 END`,
    type: COUNT_TYPE,
  }),
  sum,
  avg,
  anyValue,
  mode,
  textList,
  jsonList,
  jsonMap,
  regrCount: (values) => ({
    name: 'regr_count',
    arguments: values.map(asDouble).join(', '),
    type: COUNT_TYPE,
    wrap: (call) => `CAST(${call} AS BIGINT)`,
  }),
  ntile: (values) => ({
    name: 'ntile',
    arguments: `CAST(${toNumber(at(values, 0)).sql} AS BIGINT)`,
    type: COUNT_TYPE,
  }),
  nthValue: (values) => ({
    name: 'nth_value',
    arguments: `${at(values, 0).sql}, CAST(${toNumber(at(values, 1)).sql} AS BIGINT)`,
    type: at(values, 0).type,
  }),
});

function shifted(name: string): Writer {
  return (values) => {
    const [value, distance, fallback] = values;
    const type = commonType([at(values, 0).type, fallback?.type ?? NULL_TYPE]);
    const parts = [convertTo(value ?? at(values, 0), type).sql];
    if (distance !== undefined) parts.push(`CAST(${toNumber(distance).sql} AS BIGINT)`);
    if (fallback !== undefined) parts.push(convertTo(fallback, type).sql);
    return { name, arguments: parts.join(', '), type };
  };
}

/** What a window adds to a call. */
interface Windowed {
  /** OVER (…). */
  readonly text: string;
  /** What the rows of the frame are ordered by before they are taken, where that is not the call's own. */
  readonly argumentOrder: string | null;
}

/** A call with its FILTER and its window, if there is one. */
export function writeAggregateCall(
  call: AggregateCall,
  scope: WriteScope,
  window: Windowed | null = null,
): Typed {
  const { duckdb } = aggregateNamed(call.name);
  const writer = 'name' in duckdb ? NAMED[duckdb.form](duckdb.name) : UNIQUE[duckdb.form];
  const values = call.arguments.map((argument) => writeExpression(argument, scope));
  const place = (call.arguments[0] ?? call.withinGroup[0]?.expression)?.pos;
  const parts = placed(place, () => writer(values, call, scope));
  const distinct = call.distinct && parts.arguments !== '*' ? 'DISTINCT ' : '';
  const sorted = window?.argumentOrder ?? parts.order;
  const order = sorted === undefined ? '' : ` ORDER BY ${sorted}`;
  const filter =
    call.filter === null ? '' : ` FILTER (WHERE ${toBoolean(writeExpression(call.filter, scope)).sql})`;
  const after = `${filter}${window?.text ?? ''}`;
  const called = `${parts.name}(${distinct}${parts.arguments}${order})${after}`;
  const beside = (parts.beside ?? []).map((one) => `${one.name}(${distinct}${one.arguments})${after}`);
  // DuckDB counts -1 rows and fewer in a frame that ends before it starts.
  const written = window !== null && parts.arguments === '*' ? `greatest(${called}, 0)` : called;
  return { sql: parts.wrap?.(written, ...beside) ?? written, type: parts.type };
}
