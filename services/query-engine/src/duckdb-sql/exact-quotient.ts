/**
 * Quotients and means of exact numbers as decimals. DuckDB divides exactly only whole numbers, so both sides become whole
 * numbers of their last digits' units, the dividend with as many zeros as the quotient has digits, and one more to round by.
 */
import { once } from './json.ts';
import { digitsOf } from './types/common-type.ts';
import {
  EXACT_DIGITS_MAX,
  duckdbType,
  quotientsIn,
  type DecimalType,
  type NumberType,
  type Typed,
} from './types/sql-type.ts';

/** Quotients of quotients, which are written inside each other: DuckDB bounds how deep. */
const QUOTIENT_LEVELS_MAX = 8;

type Digits = NonNullable<ReturnType<typeof digitsOf>>;
type NumberValue = Typed & { readonly type: NumberType };

/** Digits after the point at least; and, where there is room, after the zeros that a quotient may begin with. */
const DIGITS_MIN = 16;
/** Rows that one aggregate may take, as digits: ten to the twelfth. Quotients leave them room in their sums. */
export const ROW_COUNT_DIGITS = 12;

/** Digits after the point of a quotient; null where it may have more than 38 in all, one of which is rounded away. */
function scaleOfQuotient(a: Digits, b: Digits): number | null {
  const integerDigits = a.integerDigits + b.scale;
  const room = EXACT_DIGITS_MAX - 1 - integerDigits;
  const wanted = DIGITS_MIN + a.scale + b.integerDigits;
  const scale = Math.max(Math.min(wanted, room - ROW_COUNT_DIGITS), DIGITS_MIN, a.scale);
  return scale <= room ? scale : null;
}

/** A number as a whole number of units of its last digit. */
function unitsOf({ sql, type }: NumberValue, { integerDigits, scale }: Digits): string {
  if (scale === 0) return `CAST(${sql} AS HUGEINT)`;
  // DuckDB multiplies what it stores: the zeros of both need room.
  if (integerDigits + 2 * scale > EXACT_DIGITS_MAX)
    return `CAST(replace(CAST(${sql} AS VARCHAR), '.', '') AS HUGEINT)`;
  const wide =
    type.kind === 'decimal' && type.width === EXACT_DIGITS_MAX ? sql : `CAST(${sql} AS DECIMAL(38,${scale}))`;
  return `CAST(${wide} * 1${'0'.repeat(scale)}::DECIMAL(${scale + 1},0) AS HUGEINT)`;
}

const power = (digits: number): string => `1${'0'.repeat(digits)}::HUGEINT`;

/** Units of the digit after the last one as a decimal, rounded half away from zero. */
function decimalOfUnits(units: string, integerDigits: number, scale: number, quotients: number): Typed {
  const width = Math.max(integerDigits + scale, 1);
  const type: DecimalType = { kind: 'decimal', width, scale, integerDigits, quotients };
  const unit = `0.${'0'.repeat(scale)}1::DECIMAL(${scale + 1},${scale + 1})`;
  return { sql: `CAST(CAST(${units} AS DECIMAL(38,0)) * ${unit} AS ${duckdbType(type)})`, type };
}

/** The quotient; by zero: NULL. Null where 38 digits are too few, or a side is a double, or made by a long chain of quotients. */
export function exactQuotient(a: NumberValue, b: NumberValue): Typed | null {
  const [aDigits, bDigits] = [digitsOf(a.type), digitsOf(b.type)];
  const quotients = quotientsIn(a.type, b.type) + 1;
  if (aDigits === null || bDigits === null || quotients > QUOTIENT_LEVELS_MAX) return null;
  const scale = scaleOfQuotient(aDigits, bDigits);
  if (scale === null) return null;
  const zeros = power(scale + 1 + bDigits.scale - aDigits.scale);
  const units = `((${unitsOf(a, aDigits)} * ${zeros}) // nullif(${unitsOf(b, bDigits)}, 0))`;
  return decimalOfUnits(units, aDigits.integerDigits + bDigits.scale, scale, quotients);
}

/** The mean of numbers of a type, from their sum and count; null where they, or their sum, have too many digits. */
export function exactMean(of: NumberType, sum: string, count: string): Typed | null {
  const digits = digitsOf(of);
  if (digits === null) return null;
  const integerDigits = digits.integerDigits + ROW_COUNT_DIGITS;
  const scale = scaleOfQuotient(digits, { integerDigits: ROW_COUNT_DIGITS, scale: 0 });
  if (scale === null || integerDigits + digits.scale > EXACT_DIGITS_MAX) return null;
  const type: NumberType =
    digits.scale === 0
      ? { kind: 'integer', sql: 'HUGEINT', integerDigits }
      : { kind: 'decimal', width: EXACT_DIGITS_MAX, scale: digits.scale, integerDigits };
  const units = unitsOf({ sql: sum, type }, { integerDigits, scale: digits.scale });
  const mean = `ps_mean(${units}, ${count}, ${power(scale + 1 - digits.scale)})`;
  return decimalOfUnits(mean, digits.integerDigits, scale, 1);
}

/** Digits whose square HUGEINT holds. */
const SQUARED_DIGITS_MAX = 19;

/** What a variance is made of. */
export interface Squares {
  /** What is summed of each value: its square, and itself, as whole numbers. */
  readonly square: string;
  readonly units: string;
  /** The variance, by the number of values less what is given. */
  readonly variance: (squares: string, sum: string, count: string, less: 0 | 1) => string;
}

/** Null where a square has more than 38 digits. The variance is exact until it is rounded to a DOUBLE. */
export function exactSquares(value: NumberValue): Squares | null {
  const digits = digitsOf(value.type);
  if (digits === null || digits.integerDigits + digits.scale > SQUARED_DIGITS_MAX) return null;
  const units = (sql: string): string => unitsOf({ sql, type: value.type }, digits);
  return {
    square: `CAST(${once(value.sql, (x) => `${units(x)} * ${units(x)}`)} AS BIGNUM)`,
    units: units(value.sql),
    variance: (squares, sum, count, less) =>
      `(ps_squared_distances(${squares}, ${sum}, ${count}) / nullif(${count} - ${less}, 0) / 1e${2 * digits.scale})`,
  };
}
