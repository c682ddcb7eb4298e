/** Numbers from their digits, without a string or a big integer where they are short. */
import { parseNumber } from '../../logical/exact-number.ts';

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;

/** So many digits are exact in a double. */
const SHORT_DIGITS = 15;
const POWERS = Array.from({ length: SHORT_DIGITS + 1 }, (_, power) => 10 ** power);

/** The number × 10^`scale`, a whole number; NaN where it is not plain digits or too long for a double. */
export function shortScaled(bytes: Buffer, start: number, end: number, scale: number): number {
  const negative = bytes[start] === MINUS;
  const first = negative ? start + 1 : start;
  let value = 0;
  let point = -1;
  for (let i = first; i < end; i++) {
    const code = bytes[i] as number;
    if (code >= ZERO && code <= NINE) value = value * 10 + (code - ZERO);
    else if (code === POINT && point < 0) point = i;
    else return NaN;
  }
  const places = point < 0 ? 0 : end - point - 1;
  const digits = end - first - (point < 0 ? 0 : 1);
  if (digits === 0 || places > scale || digits + scale - places > SHORT_DIGITS) return NaN;
  const scaled = value * (POWERS[scale - places] as number);
  return negative ? -scaled : scaled;
}

/** The same for every number that has no more than `scale` digits after the point. */
export function longScaled(text: string, scale: number): bigint {
  const number = parseNumber(text);
  if (number === null) throw new Error('a number that no exact type holds is in an exact column');
  return number.digits * 10n ** BigInt(scale - number.scale);
}
