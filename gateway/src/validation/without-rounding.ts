import { parseWithSource } from '@penstock/common/json/exact-json.ts';
import { withoutTrailing } from '@penstock/common/text/without-trailing.ts';

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** A number's digits and the power of ten of the last one, alike for all ways to write it. */
function canonical(source: string): string | null {
  const [, sign = '', whole = '', part = '', power = '0'] = NUMBER.exec(source) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, '');
  const kept = withoutTrailing(digits, '0');
  if (kept === '') return whole === '' ? null : '0';
  return `${sign}${kept}e${Number(power) - part.length + digits.length - kept.length}`;
}

/** Whether readers of JSON, for which numbers are doubles, have the number that the text has: of whole ones up to 2^53. */
function isHeldByDouble(source: string): boolean {
  const double = Number(source);
  if (/^-?\d+$/.test(source)) return Number.isSafeInteger(double);
  return canonical(source) === canonical(String(double));
}

/** Parses JSON; a number that readers of JSON would round becomes the text that it is written by. */
export function parseWithoutRounding(text: string): unknown {
  return parseWithSource(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && !isHeldByDouble(source) ? source : value,
  );
}
