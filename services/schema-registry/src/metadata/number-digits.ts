import { withoutTrailing } from '@penstock/common/text/without-trailing.ts';

/** Digits of a number as it would be written out without an exponent. */
interface NumberDigits {
  /** Before the point; at least 1. */
  readonly integerDigits: number;
  /** After the point, without trailing zeros. */
  readonly scale: number;
}

const NUMBER = /^[-+]?(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/;

/** Counts a number's digits on its text, so exactly, exponents (`1E+30`) included. Null for text that is no number. */
export function numberDigits(text: string): NumberDigits | null {
  const parts = NUMBER.exec(text);
  if (parts === null) return null;
  const [, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = whole + fraction;
  if (digits === '') return null;
  const first = digits.search(/[1-9]/);
  if (first < 0) return { integerDigits: 1, scale: 0 };
  const significant = withoutTrailing(digits, '0').length;
  const point = whole.length + Number(exponent);
  return { integerDigits: Math.max(1, point - first), scale: Math.max(0, significant - point) };
}
