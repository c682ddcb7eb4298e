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
  if (NESTED.has(first)) throw unsupported(statement, from, `the type ${first}`);
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
    const parameters = inside(statement, at);
    const text = statement.tokens
      .slice(parameters.from, parameters.to)
      .map((token) => token.text)
      .join('');
    if (!/^\d{1,9}(,\d{1,9})?$/.test(text))
      throw unexpected(statement, parameters.from, ['the digits of the type']);
    type += `(${text})`;
    at = parameters.to + 1;
  }
  while (upperAt(statement, at) === '[' && at < span.to) {
    const size = inside(statement, at);
    const text = statement.tokens
      .slice(size.from, size.to)
      .map((token) => token.text)
      .join('');
    if (!/^\d{0,9}$/.test(text)) throw unexpected(statement, size.from, ["']'"]);
    type += `[${text}]`;
    at = size.to + 1;
  }
  return { type, next: at };
}
