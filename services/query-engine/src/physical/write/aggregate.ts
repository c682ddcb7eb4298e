/**
 * Aggregates and window functions.
 *
 * Those whose answer would depend on the order of equal rows get an order, since a page must come out alike on every
 * run: ARG_MIN breaks ties by its first argument, ANY_VALUE is the least value, lists are sorted where the statement
 * does not say how.
 */
import type { AggregateCall } from '../../logical/expression.ts';
import { usedColumns } from '../../optimizer/column-use.ts';
import { commonType, digitsOf } from '../types/common-type.ts';
import { convertTo, toBoolean, toNumber, toText } from '../types/convert.ts';
import {
  BOOLEAN,
  DOUBLE,
  EXACT_DIGITS_MAX,
  JSON_TYPE,
  NULL_TYPE,
  TEXT,
  integer,
  type SqlType,
  type Typed,
} from '../types/sql-type.ts';
import { writeExpression } from './expression.ts';
import { jsonText } from './json.ts';
import { quoteText } from './literal.ts';
import type { WriteScope } from './scope.ts';
import { placed } from './placed.ts';
import { writeSortKey } from './sort.ts';

/** A call in parts: FILTER and OVER go after the call, `wrap` around all of it. */
interface Parts {
  readonly name: string;
  readonly arguments: string;
  readonly type: SqlType;
  readonly order?: string;
  readonly wrap?: (call: string) => string;
}

type Writer = (values: readonly Typed[], call: AggregateCall, scope: WriteScope) => Parts;

const at = (values: readonly Typed[], index: number): Typed =>
  values[index] ?? { sql: 'NULL', type: NULL_TYPE };
const asDouble = (value: Typed): string => `CAST(${toNumber(value).sql} AS DOUBLE)`;

/** Rows that one SUM may add up, as digits: ten to the twelfth. */
const SUM_DIGITS = 12;

function sum(values: readonly Typed[]): Parts {
  const number = toNumber(at(values, 0));
  const digits = digitsOf(number.type);
  if (digits === null) return { name: 'sum', arguments: number.sql, type: DOUBLE };
  const magnitude = Math.min(digits.magnitude + SUM_DIGITS, EXACT_DIGITS_MAX - digits.scale);
  const type: SqlType =
    digits.scale === 0
      ? { kind: 'integer', sql: 'HUGEINT', magnitude }
      : { kind: 'decimal', width: EXACT_DIGITS_MAX, scale: digits.scale, magnitude };
  const cast = digits.scale === 0 ? 'HUGEINT' : `DECIMAL(${EXACT_DIGITS_MAX},${digits.scale})`;
  return { name: 'sum', arguments: number.sql, type, wrap: (call) => `CAST(${call} AS ${cast})` };
}

const doubles =
  (name: string): Writer =>
  (values) => ({ name, arguments: values.map(asDouble).join(', '), type: DOUBLE });
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
const COUNT_TYPE: SqlType = { kind: 'integer', sql: 'BIGINT', magnitude: SUM_DIGITS };

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

function fraction(value: Typed, descending: boolean): string {
  return descending ? `(1 - ${asDouble(value)})` : asDouble(value);
}

const percentile =
  (name: string): Writer =>
  (values, call, scope) => {
    const key = call.withinGroup[0];
    const operand = key === undefined ? at(values, 1) : writeExpression(key.expression, scope);
    const rank = fraction(at(values, 0), key?.descending ?? false);
    const exact = name === 'quantile_disc';
    return {
      name,
      arguments: `${exact ? operand.sql : asDouble(operand)}, ${rank}`,
      type: exact ? operand.type : DOUBLE,
    };
  };

/** The order of a list's elements: as asked, and then by the elements themselves. */
function listOrder(call: AggregateCall, element: string, scope: WriteScope): string {
  const asked = [...call.orderBy, ...call.withinGroup];
  if (call.distinct) return `${element} ${asked[0]?.descending === true ? 'DESC' : 'ASC'} NULLS FIRST`;
  return [...asked.map((key) => writeSortKey(key, scope)), `${element} ASC NULLS FIRST`].join(', ');
}

const WRITERS: Readonly<Record<string, Writer>> = Object.freeze({
  COUNT: (values) => ({ name: 'count', arguments: values[0]?.sql ?? '*', type: COUNT_TYPE }),
  COUNT_IF: (values) => ({
    name: 'count',
    arguments: `CASE WHEN ${toBoolean(at(values, 0)).sql} THEN 1 END`,
    type: COUNT_TYPE,
  }),
  SUM: sum,
  AVG: (values) => ({ name: 'avg', arguments: toNumber(at(values, 0)).sql, type: DOUBLE }),
  MIN: same('min'),
  MAX: same('max'),
  ANY_VALUE: same('min'),
  MODE: (values, call, scope) => {
    const key = call.withinGroup[0];
    const operand = key === undefined ? at(values, 0) : writeExpression(key.expression, scope);
    // A constant cannot be sorted by; it needs no order either.
    const of = key?.expression ?? call.arguments[0];
    const isConstant = of === undefined || usedColumns(of).size === 0;
    const parts = { name: 'mode', arguments: operand.sql, type: operand.type };
    return isConstant ? parts : { ...parts, order: operand.sql };
  },
  MEDIAN: doubles('median'),
  PERCENTILE_CONT: percentile('quantile_cont'),
  PERCENTILE_DISC: percentile('quantile_disc'),
  STRING_AGG: (values, call, scope) => {
    const element = toText(at(values, 0)).sql;
    const separator = values.length > 1 ? toText(at(values, 1)).sql : quoteText(',');
    return {
      name: 'string_agg',
      arguments: `${element}, ${separator}`,
      type: TEXT,
      order: listOrder(call, element, scope),
    };
  },
  ARRAY_AGG: (values, call, scope) => {
    const element = `coalesce(${jsonText(at(values, 0))}, 'null')`;
    return {
      name: 'string_agg',
      arguments: `${element}, ','`,
      type: JSON_TYPE,
      order: listOrder(call, call.distinct ? element : at(values, 0).sql, scope),
      wrap: (list) => `('[' || ${list} || ']')`,
    };
  },
  BOOL_AND: condition('bool_and', BOOLEAN),
  BOOL_OR: condition('bool_or', BOOLEAN),
  BIT_AND: bits('bit_and'),
  BIT_OR: bits('bit_or'),
  BIT_XOR: bits('bit_xor'),
  ARG_MIN: byKey('arg_min'),
  ARG_MAX: byKey('arg_max'),
  STDDEV: doubles('stddev_samp'),
  STDDEV_POP: doubles('stddev_pop'),
  VARIANCE: doubles('var_samp'),
  VAR_POP: doubles('var_pop'),
  PRODUCT: doubles('product'),
  CORR: doubles('corr'),
  COVAR_POP: doubles('covar_pop'),
  COVAR_SAMP: doubles('covar_samp'),
  REGR_SLOPE: doubles('regr_slope'),
  REGR_INTERCEPT: doubles('regr_intercept'),
  REGR_R2: doubles('regr_r2'),
  REGR_COUNT: (values) => ({
    name: 'regr_count',
    arguments: values.map(asDouble).join(', '),
    type: COUNT_TYPE,
    wrap: (call) => `CAST(${call} AS BIGINT)`,
  }),
  SKEWNESS: doubles('skewness'),
  KURTOSIS: doubles('kurtosis'),
  // Windows only.
  ROW_NUMBER: () => ({ name: 'row_number', arguments: '', type: COUNT_TYPE }),
  RANK: () => ({ name: 'rank', arguments: '', type: COUNT_TYPE }),
  DENSE_RANK: () => ({ name: 'dense_rank', arguments: '', type: COUNT_TYPE }),
  PERCENT_RANK: () => ({ name: 'percent_rank', arguments: '', type: DOUBLE }),
  CUME_DIST: () => ({ name: 'cume_dist', arguments: '', type: DOUBLE }),
  NTILE: (values) => ({
    name: 'ntile',
    arguments: `CAST(${toNumber(at(values, 0)).sql} AS BIGINT)`,
    type: COUNT_TYPE,
  }),
  LAG: shifted('lag'),
  LEAD: shifted('lead'),
  FIRST_VALUE: same('first_value'),
  LAST_VALUE: same('last_value'),
  NTH_VALUE: (values) => ({
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

/** A call with its FILTER; `over` is the window's text, if there is one. */
export function writeAggregateCall(
  call: AggregateCall,
  scope: WriteScope,
  over: string | null = null,
): Typed {
  const writer = Object.hasOwn(WRITERS, call.name) ? WRITERS[call.name] : undefined;
  if (writer === undefined) throw new Error(`no writer for the aggregate ${call.name}`);
  const values = call.arguments.map((argument) => writeExpression(argument, scope));
  const place = (call.arguments[0] ?? call.withinGroup[0]?.expression)?.pos;
  const parts = placed(place, () => writer(values, call, scope));
  const distinct = call.distinct && parts.arguments !== '*' ? 'DISTINCT ' : '';
  const order = parts.order === undefined ? '' : ` ORDER BY ${parts.order}`;
  const filter =
    call.filter === null ? '' : ` FILTER (WHERE ${toBoolean(writeExpression(call.filter, scope)).sql})`;
  const written = `${parts.name}(${distinct}${parts.arguments}${order})${filter}${over ?? ''}`;
  return { sql: parts.wrap?.(written) ?? written, type: parts.type };
}

/** True where rows that are equal in the window's order would get their answer by chance. */
export function needsTotalOrder(call: AggregateCall, unit: 'ROWS' | 'RANGE' | 'GROUPS' | null): boolean {
  const byRow = ['ROW_NUMBER', 'NTILE', 'LAG', 'LEAD', 'FIRST_VALUE', 'LAST_VALUE', 'NTH_VALUE'];
  return byRow.includes(call.name) || unit === 'ROWS';
}
