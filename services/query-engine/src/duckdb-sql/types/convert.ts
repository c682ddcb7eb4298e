/**
 * Writes a value of one type as another. Nothing here fails on a value: text that is no number, date or boolean
 * becomes NULL, as a comparison with it must not match and must not end the query.
 */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import {
  BOOLEAN,
  DOUBLE,
  TEXT,
  duckdbType,
  isNumber,
  isReal,
  mixed,
  typeLabel,
  type NumberType,
  type SqlType,
  type Typed,
} from './sql-type.ts';
import { INSTANT_TEXT_MAX } from '../limits.ts';
import { numberWithin } from './common-type.ts';
import { given } from '../named.ts';

function unfit(value: Typed, wanted: string): PenstockError {
  return new PenstockError('TYPE_ERROR', `Type error: ${typeLabel(value.type)} cannot be used as ${wanted}`);
}

/** As text: numbers without trailing zeros, binary as base64, documents as JSON. */
export function toText(value: Typed): Typed {
  const { sql, type } = value;
  switch (type.kind) {
    case 'text':
      return value;
    case 'null':
      return { sql: `CAST(${sql} AS VARCHAR)`, type: TEXT };
    case 'decimal':
    case 'double': {
      const number = isReal(type) ? `CAST(${sql} AS FLOAT)` : sql;
      return { sql: `ps_trim(CAST(${number} AS VARCHAR))`, type: TEXT };
    }
    case 'binary':
      return { sql: `to_base64(${sql})`, type: TEXT };
    case 'json':
      return { sql, type: TEXT };
    case 'mixed':
      return { sql: `(${sql}).t`, type: TEXT };
    case 'integer':
    case 'boolean':
    case 'temporal':
    case 'row':
      return { sql: `CAST(${sql} AS VARCHAR)`, type: TEXT };
  }
}

/** As a number, exact where the type tells that an exact one fits. */
export function toNumber(value: Typed): Typed & { readonly type: NumberType } {
  const { sql, type } = value;
  if (isNumber(type)) return { sql, type };
  switch (type.kind) {
    case 'null':
      return { sql: `CAST(${sql} AS BIGINT)`, type: { kind: 'integer', sql: 'BIGINT', integerDigits: 1 } };
    case 'boolean':
      return { sql: `CAST(${sql} AS BIGINT)`, type: { kind: 'integer', sql: 'BIGINT', integerDigits: 1 } };
    case 'text':
      return { sql: `ps_text_double(${sql})`, type: DOUBLE };
    case 'mixed':
      return type.number.kind === 'double'
        ? { sql: `ps_mixed_double(${sql})`, type: DOUBLE }
        : { sql: `TRY_CAST(ps_mixed_digits(${sql}) AS ${duckdbType(type.number)})`, type: type.number };
    case 'binary':
    case 'json':
    case 'temporal':
    case 'row':
      throw unfit(value, 'a number');
  }
}

/** Digits that a DOUBLE takes in without rounding. */
const DOUBLE_DIGITS = 15;

/** As the nearest DOUBLE, the same for the same number of whatever type; null where it is no number. */
export function toDouble({ sql, type }: Typed): string {
  switch (type.kind) {
    case 'double':
      return sql;
    case 'mixed':
      return `ps_mixed_double(${sql})`;
    case 'text':
      return `ps_text_double(${sql})`;
    case 'null':
    case 'boolean':
      return `CAST(${sql} AS DOUBLE)`;
    case 'integer':
    case 'decimal': {
      const digits = type.integerDigits + (type.kind === 'decimal' ? type.scale : 0);
      // Of more digits, what DuckDB divides by is rounded before: its reader of texts is right to the last bit.
      return `CAST(${digits <= DOUBLE_DIGITS ? sql : `CAST(${sql} AS VARCHAR)`} AS DOUBLE)`;
    }
    case 'binary':
    case 'json':
    case 'temporal':
    case 'row':
      return 'NULL::DOUBLE';
  }
}

export function toBoolean(value: Typed): Typed {
  const { sql, type } = value;
  switch (type.kind) {
    case 'boolean':
      return value;
    case 'null':
      return { sql: `CAST(${sql} AS BOOLEAN)`, type: BOOLEAN };
    case 'integer':
    case 'decimal':
    case 'double':
      return { sql: `(${sql} <> 0)`, type: BOOLEAN };
    case 'text':
      return { sql: `TRY_CAST(${sql} AS BOOLEAN)`, type: BOOLEAN };
    case 'mixed':
      return { sql: `ps_mixed_boolean(${sql})`, type: BOOLEAN };
    case 'binary':
    case 'json':
    case 'temporal':
    case 'row':
      throw unfit(value, 'a condition');
  }
}

/**
 * The form that makes a stored text a time: a date with dashes, with slashes, or without, and behind it a time of day, then
 * an offset below 16 hours or a zone's name. A date alone may have months and days of one digit. A year of four digits comes
 * first, so that ranges of keys find times (optimizer/turned-around/rules/text-as-time.ts). DuckDB reads more, which no few ranges
 * find: years of more or fewer digits, years BC, spaces before a date or between its parts.
 */
const ISO_TEXT =
  '(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{8}|[0-9]{4}/[0-9]{1,2}/[0-9]{1,2})' +
  '(?:[Tt ][^(+-]*(?:[+-](?:(?:0[0-9]|1[0-5])[0-9:]*|[A-Za-z].*|[0-9]))?)?' +
  '|[0-9]{4}-(?:[1-9]-[0-9]{1,2}|1[0-2]-[1-9])|-?(?i:inf(?:inity)?)';

/**
 * A text as an instant, where it is short enough for one. DuckDB reads an instant in time by the square of the text's length.
 * Texts of a column are times only where they have the form of ISO_TEXT; what a statement makes of texts is read as DuckDB reads it.
 */
function textToInstant(sql: string, cast: 'CAST' | 'TRY_CAST'): string {
  const read = (x: string): string =>
    cast === 'TRY_CAST'
      ? `ps_try_instant(${x})`
      : `coalesce(ps_try_instant(${x}), CAST(${x} AS TIMESTAMPTZ))`;
  if (/^'\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:[0-5]\d(?:\.\d{1,6})?Z?)?'$/.test(sql))
    return `${cast}(${sql} AS TIMESTAMPTZ)`;
  if (/^'[^']*'$/.test(sql) && sql.length <= INSTANT_TEXT_MAX) return read(sql);
  const short = (x: string, otherwise = ''): string =>
    `CASE WHEN strlen(${x}) > ${INSTANT_TEXT_MAX} THEN 'a text of more than ${INSTANT_TEXT_MAX} bytes' ${otherwise}ELSE ${x} END`;
  // No text that begins with letters is a time, and a cast that fails shows it.
  const isOther = `WHEN NOT regexp_full_match(${sql}, '${ISO_TEXT}') THEN 'not ISO 8601: ' || ${sql} `;
  return /^\(?c\d+\)?(?:\.t)?$/.test(sql)
    ? read(`(${short(sql, isOther)})`)
    : given('x', sql, read(`(${short('x')})`));
}

/**
 * A text as a date or time; `cast` is CAST or TRY_CAST. A zone in it counts (`…T01:00:00+02:00` is 23:00 of the day
 * before): DuckDB would drop it and take the rest for UTC.
 */
export function textToTemporal(sql: string, sqlType: string, cast: 'CAST' | 'TRY_CAST'): string {
  if (sqlType === 'TIMESTAMPTZ') return textToInstant(sql, cast);
  if (sqlType === 'TIMESTAMP') return `CAST(${textToInstant(sql, cast)} AS TIMESTAMP)`;
  if (sqlType === 'DATE') return `CAST(${textToTemporal(sql, 'TIMESTAMP', cast)} AS DATE)`;
  return `${cast}(${sql} AS ${sqlType})`;
}

/** As a date, time or interval; null where the text is none. */
export function toTemporal(value: Typed, sqlType: string): string {
  if (value.type.kind === 'temporal')
    return value.type.sql === sqlType ? value.sql : `CAST(${value.sql} AS ${sqlType})`;
  if (value.type.kind === 'text' || value.type.kind === 'mixed' || value.type.kind === 'null') {
    return textToTemporal(toText(value).sql, sqlType, 'TRY_CAST');
  }
  throw unfit(value, sqlType);
}

/** A date, time or interval as it is; anything else as a timestamp. */
export function toInstant(value: Typed): string {
  return value.type.kind === 'temporal' ? value.sql : toTemporal(value, 'TIMESTAMP');
}

const MIXED_MACRO: Readonly<Record<string, string>> = Object.freeze({
  text: 'ps_mixed_of_text',
  boolean: 'ps_mixed_of_boolean',
  binary: 'ps_mixed_of_binary',
  json: 'ps_mixed_of_json',
  temporal: 'ps_mixed_of_temporal',
});

function toMixed(value: Typed): Typed {
  const { sql, type } = value;
  if (type.kind === 'mixed') return value;
  const asMixed = mixed(numberWithin(type), isNumber(type), type.kind === 'temporal');
  if (type.kind === 'null') return { sql: `CAST(NULL AS ${duckdbType(asMixed)})`, type: asMixed };
  if (isNumber(type)) return { sql: `ps_mixed_of_number(${sql})`, type: asMixed };
  const macro = MIXED_MACRO[type.kind];
  if (macro === undefined) throw unfit(value, 'a value of a mixed column');
  return { sql: `${macro}(${sql})`, type: asMixed };
}

/** As a value of the given type, which is one that `commonType` found for it. */
export function convertTo(value: Typed, target: SqlType): Typed {
  if (value.type.kind === 'null') return { sql: `CAST(${value.sql} AS ${duckdbType(target)})`, type: target };
  if (target.kind === 'mixed') return { sql: toMixed(value).sql, type: target };
  const from = duckdbType(value.type);
  const to = duckdbType(target);
  if (from === to) return { sql: value.sql, type: target };
  if (target.kind === 'text') return toText(value);
  return { sql: `CAST(${value.sql} AS ${to})`, type: target };
}
