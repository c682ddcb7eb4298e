import { isReserved } from '../keywords.ts';
import { next, nextUpper, tokenAt, upperAt, type Cursor } from './cursor.ts';
import { closingOf } from './lookahead.ts';
import { unexpected, unsupported } from './refusals.ts';

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

/** Reads a type name such as `DECIMAL(10, 2)` or `double precision[]`, in upper case with single spaces. */
export function readType(cursor: Cursor): string {
  skipCatalogSchema(cursor);
  const { type: token, value } = next(cursor);
  const first = token === 'name' ? value.toUpperCase() : nextUpper(cursor);
  if (token !== 'word' && (token !== 'name' || !/^\w+$/.test(value)))
    throw unexpected(cursor, cursor.at, ['a type name']);
  if (NESTED.has(first)) throw unsupported(cursor, cursor.at, `the type ${first}`, 'maps and lists are JSON');
  if (isReserved(first)) throw unexpected(cursor, cursor.at, ['a type name']);
  cursor.at++;
  let type = [first, ...readFurtherWords(cursor, first)].join(' ');
  if (nextUpper(cursor) === '(') {
    const digits = readBracket(cursor, /^\d{1,9}( , \d{1,9})?$/, 'the digits of the type');
    const length = `(${digits.replaceAll(' ', '')})`;
    // `TIMESTAMP(3) WITH TIME ZONE`: the digits stand before the words.
    const behind = readFurtherWords(cursor, first);
    type = (behind[0] === 'WITH' && type === 'TIMESTAMP' ? 'TIMESTAMPTZ' : type) + length;
  }
  while (nextUpper(cursor) === '[') type += `[${readBracket(cursor, /^\d{0,9}$/, "']'")}]`;
  return type;
}

/** PostgreSQL's schema of types, as programs that ask its catalogs write it. */
function skipCatalogSchema(cursor: Cursor): void {
  if (nextUpper(cursor) === 'PG_CATALOG' && upperAt(cursor, cursor.at + 1) === '.') cursor.at += 2;
}

function readFurtherWords(cursor: Cursor, first: string): readonly string[] {
  const further = Object.hasOwn(FURTHER_WORDS, first) ? FURTHER_WORDS[first] : undefined;
  const found = further?.find((words) => words.every((word, i) => upperAt(cursor, cursor.at + i) === word));
  cursor.at += found?.length ?? 0;
  return found ?? [];
}

/** The tokens in the bracket that is next, with a space between any two. */
function readBracket(cursor: Cursor, pattern: RegExp, expected: string): string {
  const opening = cursor.at;
  cursor.at = closingOf(cursor, opening) + 1;
  const words: string[] = [];
  // No type has more than three tokens in brackets.
  for (let at = opening + 1; at < cursor.at - 1 && words.length < 4; at++)
    words.push(tokenAt(cursor, at).text);
  const text = words.join(' ');
  if (!pattern.test(text)) throw unexpected(cursor, opening + 1, [expected]);
  return text;
}
