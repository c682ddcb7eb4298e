import { withoutTrailing } from '@penstock/common/text/without-trailing.ts';
import { typeOf } from '../expression/placeholders.ts';
import { text, type AttributeValue } from '../input.ts';

/**
 * Orders two values of the same scalar type as DynamoDB does: numbers by value, strings by UTF-8 bytes, binary
 * by bytes. Negative, zero or positive.
 */
export function compareScalars(a: AttributeValue, b: AttributeValue): number {
  const type = typeOf(a);
  const [left, right] = [text(a, type) ?? '', text(b, type) ?? ''];
  if (type === 'N') return compareNumbers(left, right);
  const encoding = type === 'B' ? 'base64' : 'utf8';
  return Buffer.compare(Buffer.from(left, encoding), Buffer.from(right, encoding));
}

/** A number written one way only, so that `1`, `1.0` and `10e-1` are the same text. Malformed text stays. */
export function canonicalNumber(written: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/.exec(written) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  if (sign === undefined || whole + fraction === '') return written;
  const significant = withoutTrailing(digits, '0');
  if (significant === '') return '0';
  const scale = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign === '-' ? '-' : ''}${significant}e${scale}`;
}

function compareNumbers(a: string, b: string): number {
  const left = split(canonicalNumber(a));
  const right = split(canonicalNumber(b));
  if (left.sign !== right.sign) return left.sign - right.sign;
  if (left.magnitude !== right.magnitude) return left.sign * (left.magnitude - right.magnitude);
  const width = Math.max(left.digits.length, right.digits.length);
  const [x, y] = [left.digits.padEnd(width, '0'), right.digits.padEnd(width, '0')];
  return left.sign * (x < y ? -1 : Number(x > y));
}

function split(canonical: string): { sign: number; magnitude: number; digits: string } {
  const [, minus, digits = '', scale = '0'] = /^(-?)(\d+)(?:e(-?\d+))?$/.exec(canonical) ?? [];
  if (digits === '' || digits === '0') return { sign: 0, magnitude: 0, digits: '' };
  return { sign: minus === '-' ? -1 : 1, magnitude: digits.length + Number(scale), digits };
}
