import { withoutTrailing } from '@penstock/common/text/without-trailing.ts';

/** The reviver's third argument and JSON.rawJSON (ECMAScript proposal "JSON.parse source text access", in Node 24). */
interface ExactJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}

const EXACT = JSON as unknown as ExactJson;

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

/** Parses JSON; `read` tells what becomes of a number, of its text. */
function parseNumbers(text: string, read: (source: string, double: number) => unknown): unknown {
  return EXACT.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? read(source, value) : value,
  );
}

/** Parses JSON; a number that readers of JSON would round becomes the text that it is written by. */
export function parseWithoutRounding(text: string): unknown {
  return parseNumbers(text, (source, double) => (isHeldByDouble(source) ? double : source));
}

/**
 * Parses JSON so that JSON.stringify writes every number as it stood in the text: through a double,
 * 12345678901234567890.5 would lose digits.
 */
export function parseExactJson(text: string): unknown {
  return parseNumbers(text, (source) => EXACT.rawJSON(source));
}
