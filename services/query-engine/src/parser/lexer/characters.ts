/** White space as DuckDB sees it: Unicode's, and the zero-width characters that editors and chats leave behind. */
const SPACE = /[\s\u00a0\ufeff\u200b-\u200f\u2060]/;
const WORD_START = /[A-Za-z_\u0080-\uffff]/;
const WORD_PART = /[A-Za-z0-9_$\u0080-\uffff]/;

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
/** Answers for ASCII by its code, since each character of a statement is asked for. */
const table = (pattern: RegExp): Uint8Array =>
  Uint8Array.from(ASCII, (character) => Number(pattern.test(character)));
const ASCII_SPACE = table(SPACE);
const ASCII_WORD_START = table(WORD_START);
const ASCII_WORD_PART = table(WORD_PART);

export const isSpace = (sql: string, at: number): boolean =>
  isOf(sql, at, ASCII_SPACE) ?? SPACE.test(sql.charAt(at));
export const isWordStart = (sql: string, at: number): boolean =>
  isOf(sql, at, ASCII_WORD_START) ?? (WORD_START.test(sql.charAt(at)) && !SPACE.test(sql.charAt(at)));
export const isWordPart = (sql: string, at: number): boolean =>
  isOf(sql, at, ASCII_WORD_PART) ?? (WORD_PART.test(sql.charAt(at)) && !SPACE.test(sql.charAt(at)));
export const isDigit = (character: string): boolean => character >= '0' && character <= '9';

/** The offset after the word that starts at an offset. */
export function wordEnd(sql: string, start: number): number {
  let end = start;
  while (end < sql.length && isWordPart(sql, end)) end++;
  return end;
}

/** The table's answer; undefined where the character is not ASCII. */
function isOf(sql: string, at: number, answers: Uint8Array): boolean | undefined {
  const answer = answers[sql.charCodeAt(at)];
  return answer === undefined ? undefined : answer === 1;
}
