/** Scalar functions of the list, with arguments cast to what each takes. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { FunctionDefinition, ValueCategory } from '../logical/functions/definition.ts';
import { commonType } from './types/common-type.ts';
import { convertTo, toBoolean, toNumber, toTemporal, toText } from './types/convert.ts';
import {
  BINARY,
  BOOLEAN,
  DOUBLE,
  JSON_TYPE,
  NULL_TYPE,
  TEXT,
  duckdbType,
  integer,
  isNumber,
  mixed,
  temporal,
  typeLabel,
  type SqlType,
  type Typed,
} from './types/sql-type.ts';
import { writeArithmetic, writeQuotient } from './arithmetic.ts';
import {
  NEEDLE_PAIRS,
  SHORT_NEEDLE,
  boundedPairs,
  boundedText,
  concatenated,
  padded,
  regexReplaced,
  repeated,
  replaced,
} from './bounded-text.ts';
import { compare } from './comparison.ts';
import { documentText, jsonText } from './json.ts';
import { numberLiteral, quoteText } from './literal.ts';
import { boundedMatch } from './regex-cost.ts';
import type { TextBudget } from './text-budget.ts';

type Special = (values: readonly Typed[], budget: TextBudget) => Typed;

const at = (values: readonly Typed[], index: number): Typed =>
  values[index] ?? { sql: 'NULL', type: NULL_TYPE };

/** All arguments as the type that they have in common. */
function inCommon(values: readonly Typed[]): { sql: string[]; type: SqlType } {
  const type = commonType(values.map((value) => value.type));
  return { sql: values.map((value) => convertTo(value, type).sql), type };
}

function spread(name: string): Special {
  return (values) => {
    const { sql, type } = inCommon(values);
    return { sql: `${name}(${sql.join(', ')})`, type };
  };
}

/** A rounding function: of whole numbers nothing to do; of decimals exact. */
function rounding(name: string): Special {
  return (values) => {
    const number = toNumber(at(values, 0));
    const places = values[1];
    if (number.type.kind === 'integer' && places === undefined) return number;
    if (places !== undefined) return roundTo(name, number, places);
    const sql = `${name}(${number.sql})`;
    if (number.type.kind === 'double') return { sql, type: DOUBLE };
    const type = integer(Math.min((number.type.kind === 'decimal' ? number.type.integerDigits : 18) + 1, 38));
    return { sql: `CAST(${sql} AS ${type.sql})`, type };
  };
}

function roundTo(name: string, number: Typed, places: Typed): Typed {
  const fixed = /^\(?(-?\d{1,2})\)?::BIGINT$/.exec(places.sql);
  if (number.type.kind === 'decimal' && fixed !== null && name === 'round') {
    const { width, integerDigits } = number.type;
    if (Number(fixed[1]) < 0) {
      const whole = integer(Math.min(integerDigits + 1, 38));
      // DuckDB gives 0 for what would round up to one digit more than its type has.
      const wide = `DECIMAL(${Math.min(width + 1, 38)},${number.type.scale})`;
      return { sql: `CAST(round(CAST(${number.sql} AS ${wide}), ${fixed[1]}) AS ${whole.sql})`, type: whole };
    }
    const scale = Math.min(Number(fixed[1]), number.type.scale);
    const type: SqlType = { kind: 'decimal', width: Math.min(Math.max(width, 1), 38), scale, integerDigits };
    return { sql: `CAST(round(${number.sql}, ${fixed[1]}) AS ${duckdbType(type)})`, type };
  }
  const exact = fixed === null || name !== 'trunc' ? null : truncated(number, Number(fixed[1]));
  if (exact !== null) return exact;
  const digits = `CAST(${toNumber(places).sql} AS INTEGER)`;
  if (number.type.kind === 'integer' && name === 'round') {
    return { sql: `CAST(round(${number.sql}, ${digits}) AS ${number.type.sql})`, type: number.type };
  }
  if (name === 'round') return { sql: `round(CAST(${number.sql} AS DOUBLE), ${digits})`, type: DOUBLE };
  const power = `power(10::DOUBLE, ${digits})`;
  return { sql: `(${name}(CAST(${number.sql} AS DOUBLE) * ${power}) / ${power})`, type: DOUBLE };
}

/** Without the digits beyond so many after the point, or before it where it is below 0; null for a double. */
function truncated(number: Typed, places: number): Typed | null {
  if (number.type.kind === 'integer' && places >= 0) return number;
  if (number.type.kind !== 'integer' && number.type.kind !== 'decimal') return null;
  if (number.type.kind === 'decimal' && places >= number.type.scale) return number;
  const step = numberLiteral(
    places < 0 ? { digits: 10n ** BigInt(-places), scale: 0 } : { digits: 1n, scale: places },
  );
  const { sql, type } = writeArithmetic('-', number, writeArithmetic('%', number, step));
  if (type.kind === 'double') return null;
  const { integerDigits } = number.type;
  const fit: SqlType =
    places <= 0
      ? integer(integerDigits)
      : { kind: 'decimal', width: Math.max(integerDigits + places, 1), scale: places, integerDigits };
  return { sql: `CAST(${sql} AS ${duckdbType(fit)})`, type: fit };
}

function typeName(value: Typed): string {
  if (value.type.kind !== 'mixed' || value.type.onlyNumbers) return `${quoteText(typeLabel(value.type))}`;
  return (
    `CASE (${value.sql}).k WHEN 1 THEN 'NUMBER' WHEN 2 THEN 'VARCHAR' WHEN 3 THEN 'BOOLEAN' ` +
    `WHEN 4 THEN 'BLOB' WHEN 5 THEN 'JSON' WHEN 6 THEN 'TIMESTAMP' ELSE 'NULL' END`
  );
}

/** Of a binary value its bytes, by whatever name it is asked for. */
function lengthOf(ofText: string): Special {
  return (values) => {
    const value = at(values, 0);
    const sql =
      value.type.kind === 'binary' ? `octet_length(${value.sql})` : `${ofText}(${toText(value).sql})`;
    return { sql, type: integer(18) };
  };
}

/** A search for one text in another. */
function searched(name: string, text: Typed, needle: Typed, budget: TextBudget): string {
  const options = { times: NEEDLE_PAIRS, short: SHORT_NEEDLE };
  return boundedPairs([text, needle], budget, (a, b) => `${name}(${a}, ${b})`, options);
}

const SPECIAL: Readonly<Record<string, Special>> = Object.freeze({
  COALESCE: spread('coalesce'),
  GREATEST: spread('greatest'),
  LEAST: spread('least'),
  NULLIF: (values) => {
    const [a, b] = [at(values, 0), at(values, 1)];
    return { sql: `CASE WHEN ${compare('=', a, b)} THEN NULL ELSE ${a.sql} END`, type: a.type };
  },
  IF: (values) => {
    const { sql, type } = inCommon(values.slice(1));
    return { sql: `CASE WHEN ${toBoolean(at(values, 0)).sql} THEN ${sql[0]} ELSE ${sql[1]} END`, type };
  },
  MOD: (values) => writeArithmetic('%', at(values, 0), at(values, 1)),
  DIV: (values) => writeQuotient(at(values, 0), at(values, 1)),
  ABS: (values) => {
    const number = toNumber(at(values, 0));
    return { sql: `abs(${number.sql})`, type: number.type };
  },
  CEIL: rounding('ceil'),
  FLOOR: rounding('floor'),
  ROUND: rounding('round'),
  TRUNC: rounding('trunc'),
  CONCAT: concatenated,
  CONCAT_WS: (values, budget) =>
    boundedText(`concat_ws(${values.map((v) => toText(v).sql).join(', ')})`, budget),
  REPEAT: repeated,
  LPAD: (values, budget) => padded('lpad', values, budget),
  RPAD: (values, budget) => padded('rpad', values, budget),
  REPLACE: replaced,
  REGEXP_REPLACE: regexReplaced,
  ELEMENT_AT: (values) => {
    const step = `json_extract(${documentText(at(values, 0))}, ps_step(${toText(at(values, 1)).sql}))`;
    return { sql: `ps_mixed_of_step(${step})`, type: mixed(DOUBLE) };
  },
  TYPEOF: (values) => ({ sql: typeName(at(values, 0)), type: TEXT }),
  JSON_VALID: (values) => ({ sql: `ps_is_json(${toText(at(values, 0)).sql})`, type: BOOLEAN }),
  JSON_ARRAY: (values, budget) => {
    const elements = values.map((value) => `coalesce(${jsonText(value)}, 'null')`);
    return {
      ...boundedText(`concat('[', ${elements.join(", ',', ") || "''"}, ']')`, budget),
      type: JSON_TYPE,
    };
  },
  TO_JSON: (values) => ({ sql: jsonText(at(values, 0)), type: JSON_TYPE }),
  TO_BASE64: (values, budget) => {
    const value = at(values, 0);
    if (value.type.kind === 'binary') return { sql: `to_base64(${value.sql})`, type: TEXT };
    return boundedText(`to_base64(encode(${toText(value).sql}))`, budget);
  },
  HEX: (values, budget) => {
    const value = at(values, 0);
    if (value.type.kind === 'binary') return { sql: `hex(${value.sql})`, type: TEXT };
    if (isNumber(value.type)) return { sql: `hex(CAST(${value.sql} AS BIGINT))`, type: TEXT };
    return boundedText(`hex(${toText(value).sql})`, budget);
  },
  LENGTH: lengthOf('length'),
  OCTET_LENGTH: lengthOf('strlen'),
  REGEXP_MATCHES: (values, budget) => {
    const options = values.slice(2).map((value) => `, ${toText(value).sql}`);
    const call = (a: string, b: string): string => `regexp_matches(${a}, ${b}${options.join('')})`;
    return { sql: boundedMatch(at(values, 0), at(values, 1), budget, call), type: BOOLEAN };
  },
  REGEXP_EXTRACT: (values, budget) => {
    const [, , group, options] = values;
    const more =
      (group === undefined ? '' : `, CAST(${toNumber(group).sql} AS INTEGER)`) +
      (options === undefined ? '' : `, ${toText(options).sql}`);
    const call = (a: string, b: string): string => `regexp_extract(${a}, ${b}${more})`;
    return { sql: boundedMatch(at(values, 0), at(values, 1), budget, call), type: TEXT };
  },
  LEVENSHTEIN: (values, budget) => ({
    sql: boundedPairs([at(values, 0), at(values, 1)], budget, (a, b) => `levenshtein(${a}, ${b})`),
    type: integer(18),
  }),
  STRPOS: (values, budget) => ({
    sql: searched('strpos', at(values, 0), at(values, 1), budget),
    type: integer(18),
  }),
  POSITION: (values, budget) => ({
    sql: searched('strpos', at(values, 1), at(values, 0), budget),
    type: integer(18),
  }),
  CONTAINS: (values, budget) => ({
    sql: searched('contains', at(values, 0), at(values, 1), budget),
    type: BOOLEAN,
  }),
  JSON_CONTAINS: (values, budget) => ({
    sql: searched('json_contains', at(values, 0), at(values, 1), budget),
    type: BOOLEAN,
  }),
  SPLIT_PART: (values, budget) => {
    const n = `CAST(${toNumber(at(values, 2)).sql} AS BIGINT)`;
    const options = { times: NEEDLE_PAIRS, short: SHORT_NEEDLE };
    const part = (a: string, b: string): string => `split_part(${a}, ${b}, ${n})`;
    return { sql: boundedPairs([at(values, 0), at(values, 1)], budget, part, options), type: TEXT };
  },
  ARRAY_CONTAINS: (values) => ({
    sql: `list_contains(from_json(${toText(at(values, 0)).sql}, '["JSON"]'), CAST(${jsonText(at(values, 1))} AS JSON))`,
    type: BOOLEAN,
  }),
});

const RESULT: Readonly<Record<ValueCategory, SqlType>> = Object.freeze({
  number: DOUBLE,
  integer: { kind: 'integer', sql: 'BIGINT', integerDigits: 18 },
  text: TEXT,
  boolean: BOOLEAN,
  date: temporal('DATE'),
  time: temporal('TIME'),
  timestamp: temporal('TIMESTAMP'),
  interval: temporal('INTERVAL'),
  json: JSON_TYPE,
  binary: BINARY,
});

function argument(definition: FunctionDefinition, value: Typed, index: number): Typed {
  if (definition.textArguments.includes(index)) return toText(value);
  if (definition.temporalArguments.includes(index)) return instant(definition, value);
  if (INTERVAL_SECOND.has(definition.name) && index === 1)
    return { sql: toTemporal(value, 'INTERVAL'), type: temporal('INTERVAL') };
  if (definition.family === 'numeric') {
    const number = toNumber(value);
    return definition.result === 'integer' && definition.name !== 'SIGN'
      ? {
          sql: `CAST(${number.sql} AS ${definition.name === 'FACTORIAL' ? 'INTEGER' : 'BIGINT'})`,
          type: number.type,
        }
      : { sql: `CAST(${number.sql} AS DOUBLE)`, type: DOUBLE };
  }
  if (definition.family === 'json') return toText(value);
  if (definition.family === 'temporal' && UNIT_FIRST.has(definition.name) && index === 0)
    return toText(value);
  if (definition.name === 'STRFTIME') return toText(value);
  // Counts and positions.
  const number = toNumber(value);
  return { sql: count(definition, number, index), type: number.type };
}

/** Functions of a unit such as month, and of an interval. */
const UNIT_FIRST: ReadonlySet<string> = new Set(['DATE_TRUNC', 'DATE_PART', 'DATE_DIFF']);
const INTERVAL_SECOND: ReadonlySet<string> = new Set(['DATE_ADD', 'DATE_SUB']);
/** Parts that a time of day has too, or an interval. */
const OF_TIME: ReadonlySet<string> = new Set(['HOUR', 'MINUTE', 'SECOND', 'DATE_PART', 'EPOCH']);
const OF_INTERVAL: ReadonlySet<string> = new Set([...OF_TIME, 'YEAR', 'MONTH', 'DAY']);

/** A date or timestamp; or what else the function takes parts of. */
function instant(definition: FunctionDefinition, value: Typed): Typed {
  const { type } = value;
  if (type.kind !== 'temporal') return { sql: toTemporal(value, 'TIMESTAMP'), type: temporal('TIMESTAMP') };
  const fits =
    type.sql === 'TIME'
      ? OF_TIME.has(definition.name)
      : type.sql !== 'INTERVAL' || OF_INTERVAL.has(definition.name);
  if (fits) return value;
  throw new PenstockError('TYPE_ERROR', `Type error: ${definition.name} does not take ${type.sql}`);
}

/** DuckDB takes these only as INTEGER. */
const SHORT_COUNTS: ReadonlySet<string> = new Set(['CHR', 'REGEXP_EXTRACT']);

function count(definition: FunctionDefinition, value: Typed, index: number): string {
  const { name } = definition;
  // Seconds may have a fraction.
  if (name === 'TO_TIMESTAMP' || (name === 'MAKE_TIMESTAMP' && index === 5))
    return `CAST(${value.sql} AS DOUBLE)`;
  return `CAST(${value.sql} AS ${SHORT_COUNTS.has(name) ? 'INTEGER' : 'BIGINT'})`;
}

function call(definition: FunctionDefinition, values: readonly Typed[]): string {
  if (!definition.duckdb.includes('$') && !definition.duckdb.includes('(')) {
    const sql = `${definition.duckdb}(${values.map((value) => value.sql).join(', ')})`;
    return definition.wrap === null ? sql : definition.wrap.replace('$1', () => sql);
  }
  return definition.duckdb.replace(/\$(\d)/g, (_, digit: string) => `(${at(values, Number(digit) - 1).sql})`);
}

/** A call of a listed function. */
export function writeFunctionCall(
  definition: FunctionDefinition,
  values: readonly Typed[],
  budget: TextBudget,
): Typed {
  const special = Object.hasOwn(SPECIAL, definition.name) ? SPECIAL[definition.name] : undefined;
  if (special !== undefined) return special(values, budget);
  const taken = values.map((value, index) => argument(definition, value, index));
  const rule = definition.result;
  const type =
    rule === 'common'
      ? commonType(taken.map((v) => v.type))
      : typeof rule === 'object'
        ? at(taken, rule.sameAs).type
        : RESULT[rule];
  const sql = call(definition, taken);
  if (type.kind === 'text' || type.kind === 'boolean') return { sql, type };
  if (definition.name === 'FACTORIAL') return { sql, type: integer(38) };
  return { sql: `CAST(${sql} AS ${duckdbType(type)})`, type };
}
