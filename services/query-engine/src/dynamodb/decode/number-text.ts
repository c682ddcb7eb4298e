/** Numbers as bytes. */

const QUOTE = 34;
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const LETTER_E = 69;
const SMALL_LETTER_E = 101;

/** So many digits are exact in a double, and so is their order after a division by a power of ten. */
const exactDigits = 15;
const POWERS: readonly number[] = Object.freeze(
  Array.from({ length: exactDigits + 1 }, (_, power) => 10 ** power),
);

const isDigit = (unit: number | undefined): boolean => unit !== undefined && unit >= ZERO && unit <= NINE;

/** The quote that ends a number whose text starts at `start`, where JSON takes it as it stands; else -1. */
export function numberEnd(body: Buffer, start: number): number {
  const first = body[start] === MINUS ? start + 1 : start;
  let at = body[first] === ZERO ? first + 1 : digitsEnd(body, first);
  if (at > 0 && body[at] === POINT) at = digitsEnd(body, at + 1);
  if (at > 0 && (body[at] === LETTER_E || body[at] === SMALL_LETTER_E)) {
    const sign = body[at + 1];
    at = digitsEnd(body, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
  }
  return at > 0 && body[at] === QUOTE ? at : -1;
}

/** The position after one or more digits, or -1. */
function digitsEnd(body: Buffer, start: number): number {
  let at = start;
  while (isDigit(body[at])) at++;
  return at === start ? -1 : at;
}

/**
 * A number that `numberEnd` takes, to compare by; NaN where it has an exponent, or so many digits that a double does not
 * tell all of them apart.
 */
export function comparableNumber(body: Buffer, start: number, end: number): number {
  const negative = body[start] === MINUS;
  let value = 0;
  let digits = 0;
  let places = 0;
  for (let at = negative ? start + 1 : start; at < end; at++) {
    const unit = body[at] as number;
    if (unit === POINT) places = end - at - 1;
    else if (!isDigit(unit)) return NaN;
    else {
      value = value * 10 + (unit - ZERO);
      digits++;
    }
  }
  if (digits > exactDigits) return NaN;
  const magnitude = value / (POWERS[places] as number);
  return negative ? -magnitude : magnitude;
}
