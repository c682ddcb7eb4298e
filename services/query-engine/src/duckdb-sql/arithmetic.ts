/**
 * Arithmetic that keeps every digit: whole numbers grow to HUGEINT before they can overflow, decimals stay decimals.
 *
 * Where an exact result may need more than 38 digits (by the digits that the operands are known to have), decimals go
 * on as DOUBLE; whole numbers go on as HUGEINT, and one that really does not fit ends the query with a clear error.
 */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { ArithmeticOperator } from '../logical/expression.ts';
import { digitsOf } from './types/common-type.ts';
import { toNumber, toTemporal } from './types/convert.ts';
import {
  BIGINT_DIGITS,
  DOUBLE,
  EXACT_DIGITS_MAX,
  asReal,
  computedOf,
  duckdbType,
  exactNumber,
  integer,
  isNumber,
  isReal,
  temporal,
  type DecimalType,
  type NumberType,
  type SqlType,
  type Typed,
} from './types/sql-type.ts';
import { joined } from './bounded-text.ts';
import { exactQuotient } from './exact-quotient.ts';
import { WIDEST } from './text-budget.ts';
import { numberLiteral } from './literal.ts';

/** Cast only where the type changes: a cast at each step of a long chain would nest it twice as deep. */
export const castTo = (value: Typed, type: NumberType): string =>
  duckdbType(value.type) === duckdbType(type) ? value.sql : `CAST(${value.sql} AS ${duckdbType(type)})`;

const asDouble = (value: Typed): string => castTo(value, DOUBLE);

function digitsOfResult(
  operator: '+' | '-' | '*' | '%',
  a: { integerDigits: number; scale: number },
  b: { integerDigits: number; scale: number },
): { integerDigits: number; scale: number } {
  if (operator === '*') return { integerDigits: a.integerDigits + b.integerDigits, scale: a.scale + b.scale };
  const scale = Math.max(a.scale, b.scale);
  const integerDigits = Math.max(a.integerDigits, b.integerDigits);
  return operator === '%' ? { integerDigits, scale } : { integerDigits: integerDigits + 1, scale };
}

type Digits = NonNullable<ReturnType<typeof digitsOf>>;

/**
 * The decimal that sums of such numbers are reckoned in. DuckDB's sum of two of the same width has that width again where
 * it is 18 or 38, so a chain of sums needs no cast between its steps; that it fits is known by the digits.
 */
export function decimalOf({ integerDigits, scale }: Digits): DecimalType {
  const width = integerDigits + scale <= BIGINT_DIGITS ? BIGINT_DIGITS : EXACT_DIGITS_MAX;
  return { kind: 'decimal', width, scale, integerDigits };
}

/**
 * The exact product, of as many digits as both factors have. DuckDB gives it their widths together, but for two of 18 at
 * most, whose product it would cut to 18: then one is made wider.
 */
function multiply(left: Typed, right: Typed, aDigits: Digits, bDigits: Digits): Typed {
  const width = (digits: Digits): number => Math.max(1, digits.integerDigits + digits.scale);
  const cut =
    width(aDigits) + width(bDigits) > BIGINT_DIGITS &&
    width(aDigits) <= BIGINT_DIGITS &&
    width(bDigits) <= BIGINT_DIGITS;
  const a: DecimalType = { kind: 'decimal', width: cut ? BIGINT_DIGITS + 1 : width(aDigits), ...aDigits };
  const b: DecimalType = { kind: 'decimal', width: width(bDigits), ...bDigits };
  const type: DecimalType = {
    kind: 'decimal',
    width: a.width + b.width,
    ...digitsOfResult('*', aDigits, bDigits),
  };
  return { sql: `(${castTo(left, a)} * ${castTo(right, b)})`, type: computedOf(type, left.type, right.type) };
}

/** Of two REALs one again: a DOUBLE has digits enough that rounding twice is rounding once. */
const inexact = (a: Typed, b: Typed, sql: string): Typed =>
  isReal(a.type) && isReal(b.type) ? asReal(sql) : { sql, type: DOUBLE };

function addOrMultiply(operator: '+' | '-' | '*' | '%', left: Typed, right: Typed): Typed {
  const a = toNumber(left);
  const b = toNumber(right);
  const divisor =
    operator === '%' ? (sql: string): string => `nullif(${sql}, 0)` : (sql: string): string => sql;
  const aDigits = digitsOf(a.type);
  const bDigits = digitsOf(b.type);
  if (aDigits === null || bDigits === null) {
    return inexact(a, b, `(${asDouble(a)} ${operator} ${divisor(asDouble(b))})`);
  }
  const result = digitsOfResult(operator, aDigits, bDigits);
  if (result.scale === 0) {
    const type = integer(Math.min(result.integerDigits, EXACT_DIGITS_MAX));
    return { sql: `(${castTo(a, type)} ${operator} ${divisor(castTo(b, type))})`, type };
  }
  if (exactNumber(result.integerDigits, result.scale).kind !== 'decimal') {
    return { sql: `(${asDouble(a)} ${operator} ${divisor(asDouble(b))})`, type: DOUBLE };
  }
  if (operator === '*') return multiply(a, b, aDigits, bDigits);
  const type = computedOf(decimalOf(result), a.type, b.type);
  return { sql: `(${castTo(a, type)} ${operator} ${divisor(castTo(b, type))})`, type };
}

function bitwise(operator: '&' | '|' | '^' | '<<' | '>>', left: Typed, right: Typed): Typed {
  const type = integer(EXACT_DIGITS_MAX);
  const whole = (value: Typed): string => castTo(toNumber(value), type);
  if (operator === '^') return { sql: `xor(${whole(left)}, ${whole(right)})`, type };
  return { sql: `(${whole(left)} ${operator} ${whole(right)})`, type };
}

/**
 * DynamoDB has only text for instants: next to a date, a time or an interval it is read as one. So is a column of which there is no
 * value, but beside a date, to which days may be added.
 */
function asInstant(value: Typed, beside: SqlType): Typed {
  const isAbsent = value.type.kind === 'null' && beside.kind === 'temporal' && beside.sql !== 'DATE';
  const isText = isAbsent || value.type.kind === 'text' || value.type.kind === 'mixed';
  return isText ? { sql: toTemporal(value, 'TIMESTAMP'), type: temporal('TIMESTAMP') } : value;
}

function withTemporal(operator: ArithmeticOperator, first: Typed, second: Typed): Typed | null {
  if (first.type.kind !== 'temporal' && second.type.kind !== 'temporal') return null;
  const scales = operator === '*' || operator === '/';
  const [left, right] = scales
    ? [first, second]
    : [asInstant(first, second.type), asInstant(second, first.type)];
  const a = left.type;
  const b = right.type;
  const sql = `(${left.sql} ${operator} ${right.sql})`;
  if (operator === '-' && a.kind === 'temporal' && b.kind === 'temporal' && b.sql !== 'INTERVAL') {
    return a.sql === 'DATE' && b.sql === 'DATE'
      ? { sql, type: integer(10) }
      : { sql, type: temporal('INTERVAL') };
  }
  if ((operator === '*' || operator === '/') && a.kind === 'temporal' && a.sql === 'INTERVAL') {
    return { sql: `(${left.sql} ${operator} CAST(${toNumber(right).sql} AS DOUBLE))`, type: a };
  }
  if (operator === '*' && b.kind === 'temporal' && b.sql === 'INTERVAL')
    return withTemporal('*', right, left);
  if (operator !== '+' && operator !== '-') return refuse(operator);
  const [instant, other] =
    a.kind === 'temporal' && (a.sql !== 'INTERVAL' || b.kind !== 'temporal') ? [left, right] : [right, left];
  if (instant.type.kind !== 'temporal') return refuse(operator);
  if (other.type.kind === 'temporal') {
    const isShift =
      other.type.sql === 'INTERVAL' &&
      (operator === '+' || right === other || instant.type.sql === 'INTERVAL');
    if (!isShift) return refuse(operator);
    return { sql, type: instant.type.sql === 'DATE' ? temporal('TIMESTAMP') : instant.type };
  }
  if (instant.type.sql === 'DATE' && (isNumber(other.type) || other.type.kind === 'null')) {
    const days = `CAST(${toNumber(other).sql} AS INTEGER)`;
    return { sql: `(${instant.sql} ${operator} ${days})`, type: instant.type };
  }
  return refuse(operator);
}

function refuse(operator: string): never {
  throw new PenstockError(
    'TYPE_ERROR',
    `Type error: '${operator}' does not take these dates, times or intervals`,
  );
}

export function writeArithmetic(operator: ArithmeticOperator, left: Typed, right: Typed): Typed {
  if (operator === '||') return joined([left, right], WIDEST);
  const temporalResult = withTemporal(operator, left, right);
  if (temporalResult !== null) return temporalResult;
  switch (operator) {
    case '+':
    case '-':
    case '*':
    case '%':
      return addOrMultiply(operator, left, right);
    case '/': {
      // Of doubles, and beyond 38 digits, exact to a DOUBLE's digits; by zero: NULL.
      const [a, b] = [toNumber(left), toNumber(right)];
      return exactQuotient(a, b) ?? inexact(a, b, `(${asDouble(a)} / nullif(${asDouble(b)}, 0))`);
    }
    case '&':
    case '|':
    case '^':
    case '<<':
    case '>>':
      return bitwise(operator, left, right);
  }
}

/** The number as a whole number of units of 10^-scale: exact. */
function inUnits(value: Typed, scale: number, type: NumberType): string {
  const step = numberLiteral({ digits: 10n ** BigInt(scale), scale: 0 });
  return castTo(scale === 0 ? value : writeArithmetic('*', value, step), type);
}

/** The whole part of a quotient, exact where 38 digits are enough for both operands in one unit; by zero: NULL. */
export function writeQuotient(left: Typed, right: Typed): Typed {
  const [a, b] = [toNumber(left), toNumber(right)];
  const [aDigits, bDigits] = [digitsOf(a.type), digitsOf(b.type)];
  const scale = Math.max(aDigits?.scale ?? 0, bDigits?.scale ?? 0);
  const integerDigits = Math.max(aDigits?.integerDigits ?? 0, bDigits?.integerDigits ?? 0);
  const fits = scale === 0 || integerDigits + 2 * scale + 1 <= EXACT_DIGITS_MAX;
  if (aDigits === null || bDigits === null || !fits) {
    return { sql: `trunc(${asDouble(a)} / nullif(${asDouble(b)}, 0))`, type: DOUBLE };
  }
  const units = integer(Math.min(integerDigits + scale, EXACT_DIGITS_MAX));
  const sql = `(${inUnits(a, scale, units)} // nullif(${inUnits(b, scale, units)}, 0))`;
  return { sql, type: integer(Math.min(aDigits.integerDigits + bDigits.scale, EXACT_DIGITS_MAX)) };
}

export function writeNegation(operand: Typed): Typed {
  if (operand.type.kind === 'temporal') return { sql: `(- ${operand.sql})`, type: operand.type };
  const number = toNumber(operand);
  return { sql: `(- ${number.sql})`, type: number.type };
}

export function writeBitwiseNot(operand: Typed): Typed {
  return { sql: `(~ CAST(${toNumber(operand).sql} AS HUGEINT))`, type: integer(EXACT_DIGITS_MAX) };
}
