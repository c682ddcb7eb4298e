import { isReserved } from '../keywords.ts';
import type { Span } from './scan.ts';
import { inside } from './scan.ts';
import { tokenAt, unexpected, unsupported, upperAt, type Statement } from './statement.ts';

/** The words that may follow a type's first word, by what stands before them. */
const FURTHER_WORDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  DOUBLE: [['PRECISION']],
  CHARACTER: [['VARYING']],
  CHAR: [['VARYING']],
  TIME: [
    ['WITH', 'TIME', 'ZONE'],
    ['WITHOUT', 'TIME', 'ZONE'],
  ],
  TIMESTAMP: [
    ['WITH', 'TIME', 'ZONE'],
    ['WITHOUT', 'TIME', 'ZONE'],
  ],
};
const NESTED = new Set(['STRUCT', 'MAP', 'UNION', 'ROW']);

/** Reads a type name such as `DECIMAL(10, 2)` or `double precision[]`; `type` in upper case with single spaces. */
export function readType(statement: Statement, span: Span): { readonly type: string; readonly next: number } {
  const { from } = span;
  const first = upperAt(statement, from);
  if (from >= span.to || tokenAt(statement, from).type !== 'word')
    throw unexpected(statement, from, ['a type name']);
  if (NESTED.has(first)) throw unsupported(statement, from, `the type ${first}`, 'maps and lists are JSON');
  if (isReserved(first)) throw unexpected(statement, from, ['a type name']);
  let at = from + 1;
  let type = first;
  const further = FURTHER_WORDS[first]?.find((words) =>
    words.every((word, i) => upperAt(statement, at + i) === word),
  );
  if (further !== undefined) {
    type = [first, ...further].join(' ');
    at += further.length;
  }
  if (upperAt(statement, at) === '(' && at < span.to) {
    const digits = textInside(statement, at);
    if (!/^\d{1,9}( , \d{1,9})?$/.test(digits))
      throw unexpected(statement, at + 1, ['the digits of the type']);
    type += `(${digits.replaceAll(' ', '')})`;
    at = inside(statement, at).to + 1;
  }
  while (upperAt(statement, at) === '[' && at < span.to) {
    const size = textInside(statement, at);
    if (!/^\d{0,9}$/.test(size)) throw unexpected(statement, at + 1, ["']'"]);
    type += `[${size}]`;
    at = inside(statement, at).to + 1;
  }
  return { type, next: at };
}

/** The tokens in the bracket that opens here, with a space between any two. */
function textInside(statement: Statement, opening: number): string {
  const { from, to } = inside(statement, opening);
  const tokens = statement.tokens.slice(from, to);
  return tokens.map((token) => token.text).join(' ');
}
