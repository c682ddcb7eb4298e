/** Parts of times: whole numbers and doubles as DuckDB has them, or, with their fraction, exact decimals. */
import type { Expression } from '../logical/expression.ts';
import { quoteText } from './literal.ts';
import { toInstant } from './types/convert.ts';
import { DOUBLE, duckdbType, exactNumber, integer, type NumberType, type Typed } from './types/sql-type.ts';

type Part = Extract<Expression, { readonly kind: 'Extract' }>;

const DOUBLES: ReadonlySet<string> = new Set(['EPOCH', 'JULIAN']);

/** The digits of a number of seconds or milliseconds that counts microseconds, the least unit of times. */
interface Counted {
  readonly integerDigits: number;
  readonly scale: number;
}
/** Within a minute. */
const SECONDS: Counted = { integerDigits: 2, scale: 6 };
const MILLISECONDS: Counted = { integerDigits: 5, scale: 3 };
/** Since 1970: as many as a BIGINT of microseconds holds. */
const EPOCH: Counted = { integerDigits: 13, scale: 6 };

/** A whole number of microseconds as a number with `scale` digits after the point. */
function ofMicroseconds(micros: string, { integerDigits, scale }: Counted): Typed {
  const type: NumberType = exactNumber(integerDigits, scale);
  const unit = `0.${'0'.repeat(scale - 1)}1::DECIMAL(${scale + 1},${scale})`;
  return { sql: `CAST(CAST(${micros} AS DECIMAL(19,0)) * ${unit} AS ${duckdbType(type)})`, type };
}

/** An interval of years has days by the year's length: DuckDB's microseconds have 360 of them, its seconds 365.25. */
function exactEpoch(time: string, isInterval: boolean): Typed {
  if (!isInterval) return ofMicroseconds(`epoch_us(${time})`, EPOCH);
  const type = exactNumber(EPOCH.integerDigits, EPOCH.scale);
  return { sql: `CAST(date_part('epoch', ${time}) AS ${duckdbType(type)})`, type };
}

/** `EXTRACT(field FROM operand)`. */
export function writePart({ field, withFraction }: Part, operand: Typed): Typed {
  const time = toInstant(operand);
  const [unit, isFractional] = [field.toUpperCase(), withFraction === true];
  const isInterval = operand.type.kind === 'temporal' && operand.type.sql === 'INTERVAL';
  if (isFractional && unit === 'EPOCH') return exactEpoch(time, isInterval);
  if (isFractional && unit !== 'JULIAN')
    return ofMicroseconds(
      `date_part('microseconds', ${time})`,
      unit.startsWith('MILLI') ? MILLISECONDS : SECONDS,
    );
  const type = DOUBLES.has(unit) ? DOUBLE : integer(18);
  return { sql: `CAST(date_part(${quoteText(field.toLowerCase())}, ${time}) AS ${duckdbType(type)})`, type };
}
