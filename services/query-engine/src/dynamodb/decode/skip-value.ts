import { goesOnWith, nextQuote } from './bytes.ts';

/**
 * Steps over attribute values in DynamoDB's compact form. Everything here answers -1 when the text is anything else
 * (spaces, an escaped key, damage): the caller then takes the general path, which decides whether it is legal.
 */

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const LETTER_B = 66;
const LETTER_L = 76;
const LETTER_M = 77;
const LETTER_N = 78;
const LETTER_S = 83;
const BOOL = Buffer.from('BOOL":');
const TRUE = Buffer.from('true}');
const FALSE = Buffer.from('false}');
const NULL = Buffer.from('NULL":true}');
const SS = Buffer.from('SS":[');
const NS = Buffer.from('NS":[');
const BS = Buffer.from('BS":[');

/** Deeper values take the general path; DynamoDB itself allows 32 levels. */
export const depthMax = 64;

/** The position of the quote that ends a string whose content starts at `start`; -1 at the end of the text. */
export function stringEnd(body: Buffer, start: number): number {
  let end = nextQuote(body, start);
  while (end > 0 && body[end - 1] === BACKSLASH) {
    let backslashes = 1;
    while (end - 1 - backslashes >= start && body[end - 1 - backslashes] === BACKSLASH) backslashes++;
    // An even number of backslashes: they escape each other, not the quote. (One before `start` is not the string's.)
    if (backslashes % 2 === 0 || end - 1 < start) break;
    end = nextQuote(body, end + 1);
  }
  return end;
}

/** The position after the attribute value that starts at `at`, or -1. Checks all of the value's structure. */
export function skipValue(body: Buffer, at: number, depth = 0): number {
  if (body[at] !== OPEN_BRACE || body[at + 1] !== QUOTE) return -1;
  if (body[at + 3] === QUOTE) {
    if (body[at + 4] !== COLON || depth > depthMax) return -1;
    switch (body[at + 2]) {
      case LETTER_S:
      case LETTER_N:
      case LETTER_B:
        return closeBrace(body, skipString(body, at + 5));
      case LETTER_M:
        return closeBrace(body, skipMap(body, at + 5, depth + 1));
      case LETTER_L:
        return closeBrace(body, skipList(body, at + 5, depth + 1));
      default:
        return -1;
    }
  }
  if (goesOnWith(body, at + 2, BOOL)) {
    if (goesOnWith(body, at + 8, TRUE)) return at + 13;
    return goesOnWith(body, at + 8, FALSE) ? at + 14 : -1;
  }
  if (goesOnWith(body, at + 2, NULL)) return at + 13;
  if (goesOnWith(body, at + 2, SS) || goesOnWith(body, at + 2, NS) || goesOnWith(body, at + 2, BS))
    return closeBrace(body, skipStrings(body, at + 7));
  return -1;
}

/** The position after the closing brace that stands at `at`; -1 where there is none, or `at` is -1 already. */
export function closeBrace(body: Buffer, at: number): number {
  return at > 0 && body[at] === CLOSE_BRACE ? at + 1 : -1;
}

function skipString(body: Buffer, at: number): number {
  if (body[at] !== QUOTE) return -1;
  return stringEnd(body, at + 1) + 1 || -1;
}

/** The position after strings in brackets, or -1; `at`: after the opening bracket. */
export function skipStrings(body: Buffer, at: number): number {
  for (let next = at; ; next++) {
    next = skipString(body, next);
    if (next < 0) return -1;
    const after = body[next];
    if (after === CLOSE_BRACKET) return next + 1;
    if (after !== COMMA) return -1;
  }
}

function skipList(body: Buffer, at: number, depth: number): number {
  if (body[at] !== OPEN_BRACKET) return -1;
  if (body[at + 1] === CLOSE_BRACKET) return at + 2;
  for (let next = at + 1; ; next++) {
    next = skipValue(body, next, depth);
    if (next < 0) return -1;
    const after = body[next];
    if (after === CLOSE_BRACKET) return next + 1;
    if (after !== COMMA) return -1;
  }
}

function skipMap(body: Buffer, at: number, depth: number): number {
  if (body[at] !== OPEN_BRACE) return -1;
  if (body[at + 1] === CLOSE_BRACE) return at + 2;
  for (let next = at + 1; ; next++) {
    next = skipString(body, next);
    if (next < 0 || body[next] !== COLON) return -1;
    next = skipValue(body, next + 1, depth);
    if (next < 0) return -1;
    const after = body[next];
    if (after === CLOSE_BRACE) return next + 1;
    if (after !== COMMA) return -1;
  }
}
