/** White space as DuckDB sees it: Unicode's, and the zero-width characters that editors and chats leave behind. */
const SPACE = /[\s\u00a0\ufeff\u200b-\u200f\u2060]/;
const WORD_START = /[A-Za-z_\u0080-\uffff]/;
const WORD_PART = /[A-Za-z0-9_$\u0080-\uffff]/;

export const isSpace = (character: string): boolean => SPACE.test(character);
export const isWordStart = (character: string): boolean =>
  WORD_START.test(character) && !SPACE.test(character);
export const isWordPart = (character: string): boolean => WORD_PART.test(character) && !SPACE.test(character);
export const isDigit = (character: string): boolean => character >= '0' && character <= '9';

/** The offset after the word that starts at an offset. */
export function wordEnd(sql: string, start: number): number {
  let end = start;
  while (end < sql.length && isWordPart(sql.charAt(end))) end++;
  return end;
}
