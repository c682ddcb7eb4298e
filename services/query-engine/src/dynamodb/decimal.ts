/**
 * Numbers as digits: DynamoDB keeps 38 significant digits, more than a double does, so they are compared as text.
 * Source: DynamoDB developer guide, "Naming rules and data types", Number.
 */
import { withoutTrailing } from '@penstock/common/text/without-trailing.ts';

/** `0.<digits> × 10^exponent` with a sign; `digits` has no zeros at either end and is empty for zero. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/** Significant digits of a DynamoDB number. */
const numberDigitsMax = 38;
/** DynamoDB's magnitudes: 1E-130 up to 9.99…E+125. */
const numberExponentMax = 126;
const numberExponentMin = -129;
/** An exponent in a text may have so many digits; more is no number that we compare. */
const exponentDigitsMax = 9;

const NUMBER = /^[+-]?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** Reads a number as SQL and DynamoDB write it; null for any other text. */
export function parseDecimal(text: string): Decimal | null {
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const [, whole = '', fraction = '', exponentText = '0'] = match;
  if (whole === '' && fraction === '') return null;
  if (exponentText.length > exponentDigitsMax) return null;
  const all = whole + fraction;
  const digits = all.replace(/^0+/, '');
  const exponent = Number(exponentText) + whole.length - (all.length - digits.length);
  const significant = withoutTrailing(digits, '0');
  return significant === ''
    ? { negative: false, digits: '', exponent: 0 }
    : { negative: text.startsWith('-'), digits: significant, exponent };
}

/** Whether DynamoDB can hold the number exactly. */
export function fitsDynamo({ digits, exponent }: Decimal): boolean {
  return (
    digits.length <= numberDigitsMax &&
    (digits === '' || (exponent <= numberExponentMax && exponent >= numberExponentMin))
  );
}

/** Below 0, 0 or above 0, as a sort wants it. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.negative !== b.negative) return a.negative ? -1 : 1;
  const magnitude = compareMagnitudes(a, b);
  return a.negative ? -magnitude : magnitude;
}

/** One text for each number, with all digits: `1.50` and `15E-1` are both `1.5`. */
export function decimalText({ negative, digits, exponent }: Decimal): string {
  if (digits === '') return '0';
  const sign = negative ? '-' : '';
  if (exponent > numberDigitsMax * 2 || exponent < -numberDigitsMax * 2)
    return `${sign}0.${digits}E${exponent}`;
  if (exponent <= 0) return `${sign}0.${'0'.repeat(-exponent)}${digits}`;
  if (exponent >= digits.length) return `${sign}${digits}${'0'.repeat(exponent - digits.length)}`;
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

function compareMagnitudes(a: Decimal, b: Decimal): number {
  if (a.digits === '' || b.digits === '') return a.digits.length - b.digits.length;
  if (a.exponent !== b.exponent) return a.exponent - b.exponent;
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -1 : 1;
}
