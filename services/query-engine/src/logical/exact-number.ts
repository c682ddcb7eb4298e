import { withoutTrailing } from '@penstock/common/text/without-trailing.ts';

/** Number text, exactly: never through a double. */

/** `digits` × 10^-`scale`; no trailing zeros after the point (so `1.50` and `1.5` are alike). */
export interface ExactNumber {
  readonly digits: bigint;
  /** Digits after the point; never negative. */
  readonly scale: number;
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,5}))?$/;
/** DynamoDB's numbers end at 1E+126 and 1E-130. */
const PLACES_MAX = 200;

/** The number that a text spells, or null where it spells none (or one far beyond DynamoDB's range). */
export function parseNumber(text: string): ExactNumber | null {
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponentText] = match;
  if (whole === '' && fraction === '') return null;
  const digitsText = (whole + fraction).replace(/^0+(?=\d)/, '');
  let scale = fraction.length - Number(exponentText ?? 0);
  let digits = digitsText;
  while (scale > 0 && digits.length > 1 && digits.endsWith('0')) {
    digits = digits.slice(0, -1);
    scale--;
  }
  if (digits === '0') return { digits: 0n, scale: 0 };
  if (Math.abs(scale) > PLACES_MAX || digits.length > PLACES_MAX) return null;
  if (scale < 0) {
    digits += '0'.repeat(-scale);
    scale = 0;
  }
  return { digits: BigInt(sign === '-' ? `-${digits}` : digits), scale };
}

/** Digits before the point; 1 for numbers below one. */
export function integerDigitsOf(number: ExactNumber): number {
  const digits = number.digits < 0n ? -number.digits : number.digits;
  return Math.max(digits.toString().length - number.scale, 1);
}

/** Plain digits with a point where needed: a JSON number literal too. */
export function printNumber(number: ExactNumber): string {
  return printScaled(number.digits, number.scale);
}

/** `digits` × 10^-`scale` without trailing zeros. */
export function printScaled(value: bigint, scale: number): string {
  if (scale === 0) return value.toString();
  const negative = value < 0n;
  const digits = (negative ? -value : value).toString().padStart(scale + 1, '0');
  const fraction = withoutTrailing(digits.slice(-scale), '0');
  const whole = digits.slice(0, -scale);
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** -1, 0 or 1. */
export function compareNumbers(a: ExactNumber, b: ExactNumber): number {
  const scale = Math.max(a.scale, b.scale);
  const left = a.digits * 10n ** BigInt(scale - a.scale);
  const right = b.digits * 10n ** BigInt(scale - b.scale);
  return left < right ? -1 : left > right ? 1 : 0;
}
