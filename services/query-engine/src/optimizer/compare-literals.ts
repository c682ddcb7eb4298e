import { byUtf8 } from '../catalog/attributes.ts';
import type { LiteralValue } from '../logical/expression.ts';
import { FOLDED_DIGITS_MAX } from './limits.ts';

/** A number as a whole one, `scale` digits after the point taken in; null for what is not plain digits. */
function scaled(text: string, scale: number): bigint | null {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '' || whole.length + fraction.length > FOLDED_DIGITS_MAX) return null;
  return BigInt(sign + whole + fraction.padEnd(scale, '0'));
}

/** The order of two constants of one kind, numbers exactly, texts by UTF-8 bytes; null where it is not certain. */
export function compareLiterals(a: LiteralValue, b: LiteralValue): number | null {
  if (a.type === 'text' && b.type === 'text') return byUtf8(a.value, b.value);
  if (a.type === 'boolean' && b.type === 'boolean') return Number(a.value) - Number(b.value);
  if (a.type !== 'number' || b.type !== 'number') return null;
  const [left, right] = [scaled(a.text, FOLDED_DIGITS_MAX), scaled(b.text, FOLDED_DIGITS_MAX)];
  if (left === null || right === null) return null;
  return left < right ? -1 : left > right ? 1 : 0;
}
