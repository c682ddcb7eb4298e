/**
 * Comparisons by value, whatever the types of the sides: against text as text, against a number as numbers, and never
 * a conversion error (engine.md, "Semantics decided").
 */
import type { ComparisonOperator } from '../../logical/expression.ts';
import { TIE_BREAK } from '../macros.ts';
import { digitsOf } from '../types/common-type.ts';
import { convertTo, toBoolean, toDouble, toMixed, toTemporal, toText } from '../types/convert.ts';
import { EXACT_DIGITS_MAX, isNumber, type NumberType, type SqlType, type Typed } from '../types/sql-type.ts';

/** How two types meet. */
type Meeting = 'as they are' | 'numbers' | 'text' | 'booleans' | 'mixed' | { readonly temporal: string };

const isTextLike = (type: SqlType): boolean => type.kind === 'text' || type.kind === 'mixed';

/** True where DuckDB compares the two without a cast that a value may not fit. */
function compareAsStored(a: NumberType, b: NumberType): boolean {
  const left = digitsOf(a);
  const right = digitsOf(b);
  if (left === null || right === null) return left === right;
  const wholes = Math.max(storedMagnitude(a), storedMagnitude(b));
  return wholes + Math.max(left.scale, right.scale) <= EXACT_DIGITS_MAX || left.scale === right.scale;
}

function storedMagnitude(type: NumberType): number {
  if (type.kind === 'decimal') return type.width - type.scale;
  if (type.kind === 'integer') return type.sql === 'HUGEINT' ? EXACT_DIGITS_MAX : 19;
  return 0;
}

function meet(a: SqlType, b: SqlType): Meeting {
  if (a.kind === 'null' || b.kind === 'null') return 'as they are';
  if (isNumber(a) && isNumber(b)) return compareAsStored(a, b) ? 'as they are' : 'numbers';
  if ((isNumber(a) && isTextLike(b)) || (isTextLike(a) && isNumber(b))) return 'numbers';
  if (a.kind === b.kind) return 'as they are';
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    if (one.kind === 'temporal' && isTextLike(other)) {
      return { temporal: one.sql === 'DATE' ? 'TIMESTAMP' : one.sql };
    }
    if (one.kind === 'boolean' && (isTextLike(other) || isNumber(other))) return 'booleans';
  }
  return a.kind === 'text' || b.kind === 'text' ? 'text' : 'mixed';
}

function convertBoth(a: Typed, b: Typed, how: Exclude<Meeting, 'numbers'>): [string, string] {
  if (how === 'as they are') return [ofType(a, b.type), ofType(b, a.type)];
  if (how === 'text') return [toText(a).sql, toText(b).sql];
  if (how === 'booleans') return [toBoolean(a).sql, toBoolean(b).sql];
  if (how === 'mixed') return [toMixed(a).sql, toMixed(b).sql];
  return [toTemporal(a, how.temporal), toTemporal(b, how.temporal)];
}

/** A column that no item has is stored as text, and compares with everything. */
function ofType(value: Typed, other: SqlType): string {
  return value.type.kind === 'null' && other.kind !== 'null' ? convertTo(value, other).sql : value.sql;
}

function digitsText(value: Typed): string {
  return value.type.kind === 'mixed' ? `ps_mixed_digits(${value.sql})` : value.sql;
}

function writeSign(a: Typed, b: Typed): string {
  return `ps_sign(${a.sql}, ${b.sql}, ${toDouble(a)}, ${toDouble(b)}, ${digitsText(a)}, ${digitsText(b)})`;
}

const SIGN_TEST: Readonly<Record<Exclude<ComparisonOperator, `IS${string}`>, string>> = Object.freeze({
  '=': '= 0',
  '<>': '<> 0',
  '<': '= -1',
  '<=': '<= 0',
  '>': '= 1',
  '>=': 'IN (0, 1)',
});

function compareAsNumbers(operator: ComparisonOperator, a: Typed, b: Typed): string {
  const sign = writeSign(a, b);
  if (operator === 'IS DISTINCT FROM') return `NOT ${compareAsNumbers('IS NOT DISTINCT FROM', a, b)}`;
  if (operator === 'IS NOT DISTINCT FROM') {
    return `((${a.sql} IS NULL AND ${b.sql} IS NULL) OR coalesce(${sign} = 0, FALSE))`;
  }
  return `(${sign} ${SIGN_TEST[operator]})`;
}

/** `a operator b`, in parentheses. */
export function compare(operator: ComparisonOperator, a: Typed, b: Typed): string {
  const how = meet(a.type, b.type);
  if (how === 'numbers') return compareAsNumbers(operator, a, b);
  const [left, right] = convertBoth(a, b, how);
  return `(${left} ${operator} ${right})`;
}

/**
 * An equality that only decides whether a row stays (a conjunct of ON or WHERE): the form that DuckDB can hash, where
 * the exact one is a call.
 */
export function hashableEquality(a: Typed, b: Typed): string {
  const exact = compare('=', a, b);
  if (meet(a.type, b.type) !== 'numbers') return exact;
  return `(${toDouble(a)} = ${toDouble(b)} AND ${exact})`;
}

/** Both as one type in which `=` compares them as `compare` does: for IN (subquery) and the like. */
export function comparable(a: SqlType, b: SqlType): (value: Typed) => string {
  const how = meet(a, b);
  if (how === 'as they are') return (value) => ofType(value, value.type === a ? b : a);
  if (how === 'numbers') return toDouble;
  if (how === 'text') return (value) => toText(value).sql;
  if (how === 'booleans') return (value) => toBoolean(value).sql;
  if (how === 'mixed') return (value) => toMixed(value).sql;
  return (value) => toTemporal(value, how.temporal);
}

/** From so many values on, a list is compared at once instead of value by value. */
const LONG_LIST = 8;
/** Digits before and after the point that TIE_BREAK holds. */
const LIST_DIGITS = Object.freeze({ magnitude: 20, scale: 18 });

/**
 * `operand IN (…)` for a text or mixed operand and a long list of numbers, as one test instead of a call for each; null
 * where the list is short, or not all numbers that one exact type holds.
 */
export function isAmongNumbers(operand: Typed, values: readonly Typed[]): string | null {
  if (values.length < LONG_LIST || !isTextLike(operand.type)) return null;
  const fit = values.every(({ type }) => {
    const digits = isNumber(type) ? digitsOf(type) : null;
    return digits !== null && digits.magnitude <= LIST_DIGITS.magnitude && digits.scale <= LIST_DIGITS.scale;
  });
  if (!fit) return null;
  const list = values.map(({ sql }) => `CAST(${sql} AS ${TIE_BREAK})`).join(', ');
  const test = `TRY_CAST(${digitsText(operand)} AS ${TIE_BREAK}) IN (${list})`;
  return `coalesce(${test}, CASE WHEN ${operand.sql} IS NOT NULL THEN FALSE END)`;
}
