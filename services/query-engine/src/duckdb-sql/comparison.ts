/**
 * Comparisons by value, whatever the types of the sides, and never a conversion error. What comes out depends on the two
 * values only, not on what else the columns hold:
 *
 * - two values of one type compare as what they are: numbers exactly, texts and binary values by their bytes;
 * - a number with a text or a truth value: as numbers (TRUE is 1, FALSE is 0);
 * - a truth value with a text: as truth values; a date or time with a text: as dates or times;
 * - a binary value or a document with a text: as text, of base64 or JSON;
 * - anything else, and a text that spells no such value: not equal, neither less nor greater.
 */
import type { ComparisonOperator } from '../logical/expression.ts';
import { MixedKind } from './macros.ts';
import { digitsOf, mayBeInstant } from './types/common-type.ts';
import { convertTo, toBoolean, toDouble, toNumber, toTemporal, toText } from './types/convert.ts';
import { EXACT_DIGITS_MAX, isNumber, type NumberType, type SqlType, type Typed } from './types/sql-type.ts';

/** How two types meet. */
type Meeting =
  | 'as they are'
  | 'numbers'
  | 'text'
  | 'booleans'
  /** Each pair of values by their own types. */
  | 'values'
  | 'unlike'
  | { readonly temporal: string };

/** True where DuckDB compares the two without a cast that a value may not fit. */
function compareAsStored(a: NumberType, b: NumberType): boolean {
  const left = digitsOf(a);
  const right = digitsOf(b);
  if (left === null || right === null) return left === right;
  const wholes = Math.max(storedIntegerDigits(a), storedIntegerDigits(b));
  return wholes + Math.max(left.scale, right.scale) <= EXACT_DIGITS_MAX || left.scale === right.scale;
}

function storedIntegerDigits(type: NumberType): number {
  if (type.kind === 'decimal') return type.width - type.scale;
  if (type.kind === 'integer') return type.sql === 'HUGEINT' ? EXACT_DIGITS_MAX : 19;
  return 0;
}

function meetTemporal(a: Extract<SqlType, { kind: 'temporal' }>, b: SqlType): Meeting {
  if (b.kind === 'text' || b.kind === 'mixed') return { temporal: a.sql === 'DATE' ? 'TIMESTAMP' : a.sql };
  if (b.kind !== 'temporal') return 'unlike';
  const isInstant = (sql: string): boolean => sql !== 'TIME' && sql !== 'INTERVAL';
  return a.sql === b.sql || (isInstant(a.sql) && isInstant(b.sql)) ? 'as they are' : 'unlike';
}

function meet(a: SqlType, b: SqlType): Meeting {
  if (a.kind === 'null' || b.kind === 'null') return 'as they are';
  if (a.kind === 'temporal') return meetTemporal(a, b);
  if (b.kind === 'temporal') return meetTemporal(b, a);
  const has = (kind: SqlType['kind']): boolean => a.kind === kind || b.kind === kind;
  if (isNumber(a) && isNumber(b)) return compareAsStored(a, b) ? 'as they are' : 'numbers';
  if (isNumber(a) || isNumber(b)) {
    return has('text') || has('mixed') || has('boolean') ? 'numbers' : 'unlike';
  }
  if (has('mixed')) return 'values';
  if (a.kind === b.kind) return 'as they are';
  if (!has('text')) return 'unlike';
  return has('boolean') ? 'booleans' : 'text';
}

/** A column that no item has is stored as text, and compares with everything. */
function ofType(value: Typed, other: SqlType): string {
  return value.type.kind === 'null' && other.kind !== 'null' ? convertTo(value, other).sql : value.sql;
}

/** The digits of what compares as a number. */
function digitsText(value: Typed): string {
  if (value.type.kind === 'mixed') return `ps_mixed_digits(${value.sql})`;
  return toText(value.type.kind === 'boolean' ? toNumber(value) : value).sql;
}

const KIND: Readonly<Partial<Record<SqlType['kind'], number>>> = Object.freeze({
  integer: MixedKind.NUMBER,
  decimal: MixedKind.NUMBER,
  double: MixedKind.NUMBER,
  text: MixedKind.TEXT,
  boolean: MixedKind.BOOLEAN,
  binary: MixedKind.BINARY,
  json: MixedKind.JSON,
  temporal: MixedKind.TEMPORAL,
});

/** Kind, number and text of a value, each NULL where the value is. */
function partsOf(value: Typed): readonly string[] {
  if (value.type.kind === 'mixed') {
    return [`(${value.sql}).k`, toDouble(value), `(${value.sql}).t`];
  }
  const kind = KIND[value.type.kind] ?? MixedKind.TEXT;
  return [`CASE WHEN ${value.sql} IS NOT NULL THEN ${kind} END`, toDouble(value), toText(value).sql];
}

/** Both sides as what they are alike as; NULL where one is none. Null where they compare by sign. */
function converted(
  a: Typed,
  b: Typed,
  how: Exclude<Meeting, 'as they are' | 'text'>,
): readonly [string, string] | null {
  if (typeof how === 'object') return [toTemporal(a, how.temporal), toTemporal(b, how.temporal)];
  if (how === 'booleans') return [toBoolean(a).sql, toBoolean(b).sql];
  return how === 'unlike' ? ['NULL::BOOLEAN', 'NULL::BOOLEAN'] : null;
}

/** -1, 0, 1, or 2 where the values are not alike; NULL where one is NULL. */
function writeSign(a: Typed, b: Typed, how: 'numbers' | 'values'): string {
  return how === 'numbers'
    ? `ps_sign(${a.sql}, ${b.sql}, ${toDouble(a)}, ${toDouble(b)}, ${digitsText(a)}, ${digitsText(b)})`
    : `ps_sign_of(${[...partsOf(a), ...partsOf(b)].join(', ')})`;
}

const SIGN_TEST: Readonly<Record<Exclude<ComparisonOperator, `IS${string}`>, string>> = Object.freeze({
  '=': '= 0',
  '<>': '<> 0',
  '<': '= -1',
  '<=': '<= 0',
  '>': '= 1',
  '>=': 'IN (0, 1)',
});

const isOrder = (operator: ComparisonOperator): boolean =>
  operator.startsWith('<') ? operator !== '<>' : operator.startsWith('>');

/** `a operator b`, in parentheses. */
export function compare(operator: ComparisonOperator, a: Typed, b: Typed): string {
  const how = meet(a.type, b.type);
  if (a.type.kind === 'json' && b.type.kind === 'json' && isOrder(operator))
    return `(ps_list_key(${a.sql}) ${operator} ps_list_key(${b.sql}))`;
  if (how === 'as they are') return `(${ofType(a, b.type)} ${operator} ${ofType(b, a.type)})`;
  if (how === 'text') return `(${toText(a).sql} ${operator} ${toText(b).sql})`;
  if (operator === 'IS DISTINCT FROM') return `(NOT ${compare('IS NOT DISTINCT FROM', a, b)})`;
  const sides = converted(a, b, how);
  const sign = how === 'numbers' || how === 'values' ? writeSign(a, b, how) : '';
  if (operator === 'IS NOT DISTINCT FROM') {
    const equal = sides === null ? `${sign} = 0` : sides.join(' = ');
    return `((${a.sql} IS NULL AND ${b.sql} IS NULL) OR coalesce(${equal}, FALSE))`;
  }
  if (sides === null) return `(${sign} ${SIGN_TEST[operator]})`;
  const compared = `coalesce(${sides.join(` ${operator} `)}, ${operator === '<>' ? 'TRUE' : 'FALSE'})`;
  return `(CASE WHEN ${a.sql} IS NULL OR ${b.sql} IS NULL THEN NULL ELSE ${compared} END)`;
}

/** Number and text of a value that those have in common which compare as equal with it. */
function hashParts(value: Typed): readonly [number: string, text: string] {
  if (isNumber(value.type) || value.type.kind === 'boolean') return [toDouble(value), `''`];
  const [, number, text] = partsOf(value);
  return [`coalesce(ps_hash_number(${number}, ${text}), 0)`, `ps_hash_text(${number}, ${text})`];
}

/**
 * An equality that only decides whether a row stays (a conjunct of ON or WHERE): the form that DuckDB can hash, where
 * the exact one is a call.
 */
export function hashableEquality(a: Typed, b: Typed): string {
  const exact = compare('=', a, b);
  const how = meet(a.type, b.type);
  if (typeof how === 'object') return `(${toTemporal(a, how.temporal)} = ${toTemporal(b, how.temporal)})`;
  if (how === 'booleans') return `(${toBoolean(a).sql} = ${toBoolean(b).sql})`;
  const hasMixed = a.type.kind === 'mixed' || b.type.kind === 'mixed';
  if (how === 'numbers' && !hasMixed) return `(${toDouble(a)} = ${toDouble(b)} AND ${exact})`;
  // Dates are equal under many texts.
  if (!hasMixed || how === 'as they are' || mayBeInstant(a.type) || mayBeInstant(b.type)) return exact;
  const [left, right] = [hashParts(a), hashParts(b)];
  return `(${left[0]} = ${right[0]} AND ${left[1]} = ${right[1]} AND ${exact})`;
}

/** True where DuckDB's own operators compare the two as `compare` does. */
export function comparesAsStored(a: SqlType, b: SqlType): boolean {
  return meet(a, b) === 'as they are';
}

/** Both as one type in which any operator compares them as `compare` does; null where there is none. */
export function comparable(a: SqlType, b: SqlType): ((value: Typed) => string) | null {
  const how = meet(a, b);
  // DuckDB's ANY and ALL take a struct that is NULL for a value.
  if (a.kind === 'mixed' || b.kind === 'mixed') return null;
  if (how === 'as they are') return (value) => ofType(value, value.type === a ? b : a);
  if (how === 'text') return (value) => toText(value).sql;
  const areNumbers = [a, b].every((type) => isNumber(type) || type.kind === 'boolean');
  return areNumbers ? (value) => `ps_number_key(${digitsText(value)})` : null;
}
