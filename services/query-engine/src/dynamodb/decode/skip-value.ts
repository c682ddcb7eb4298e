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

/** Deeper values take the general path; DynamoDB itself allows 32 levels. */
const depthMax = 64;

/** The position of the quote that ends a string whose content starts at `start`; -1 at the end of the text. */
export function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end > 0 && text.charCodeAt(end - 1) === BACKSLASH) {
    let backslashes = 1;
    while (end - 1 - backslashes >= start && text.charCodeAt(end - 1 - backslashes) === BACKSLASH)
      backslashes++;
    // An even number of backslashes: they escape each other, not the quote. (One before `start` is not the string's.)
    if (backslashes % 2 === 0 || end - 1 < start) break;
    end = text.indexOf('"', end + 1);
  }
  return end;
}

/** The position after the attribute value that starts at `at`, or -1. Checks all of the value's structure. */
export function skipValue(text: string, at: number, depth = 0): number {
  if (text.charCodeAt(at) !== OPEN_BRACE || text.charCodeAt(at + 1) !== QUOTE) return -1;
  if (text.charCodeAt(at + 3) === QUOTE) {
    if (text.charCodeAt(at + 4) !== COLON || depth > depthMax) return -1;
    switch (text[at + 2]) {
      case 'S':
      case 'N':
      case 'B':
        return closeBrace(text, skipString(text, at + 5));
      case 'M':
        return closeBrace(text, skipMap(text, at + 5, depth + 1));
      case 'L':
        return closeBrace(text, skipList(text, at + 5, depth + 1));
      default:
        return -1;
    }
  }
  if (text.startsWith('BOOL":', at + 2)) {
    if (text.startsWith('true}', at + 8)) return at + 13;
    return text.startsWith('false}', at + 8) ? at + 14 : -1;
  }
  if (text.startsWith('NULL":true}', at + 2)) return at + 13;
  if (
    text.startsWith('SS":[', at + 2) ||
    text.startsWith('NS":[', at + 2) ||
    text.startsWith('BS":[', at + 2)
  )
    return closeBrace(text, skipStrings(text, at + 7));
  return -1;
}

function closeBrace(text: string, at: number): number {
  return at > 0 && text.charCodeAt(at) === CLOSE_BRACE ? at + 1 : -1;
}

function skipString(text: string, at: number): number {
  if (text.charCodeAt(at) !== QUOTE) return -1;
  return stringEnd(text, at + 1) + 1 || -1;
}

/** `at`: after the opening bracket. */
function skipStrings(text: string, at: number): number {
  for (let next = at; ; next++) {
    next = skipString(text, next);
    if (next < 0) return -1;
    const after = text.charCodeAt(next);
    if (after === CLOSE_BRACKET) return next + 1;
    if (after !== COMMA) return -1;
  }
}

function skipList(text: string, at: number, depth: number): number {
  if (text.charCodeAt(at) !== OPEN_BRACKET) return -1;
  if (text.charCodeAt(at + 1) === CLOSE_BRACKET) return at + 2;
  for (let next = at + 1; ; next++) {
    next = skipValue(text, next, depth);
    if (next < 0) return -1;
    const after = text.charCodeAt(next);
    if (after === CLOSE_BRACKET) return next + 1;
    if (after !== COMMA) return -1;
  }
}

function skipMap(text: string, at: number, depth: number): number {
  if (text.charCodeAt(at) !== OPEN_BRACE) return -1;
  if (text.charCodeAt(at + 1) === CLOSE_BRACE) return at + 2;
  for (let next = at + 1; ; next++) {
    next = skipString(text, next);
    if (next < 0 || text.charCodeAt(next) !== COLON) return -1;
    next = skipValue(text, next + 1, depth);
    if (next < 0) return -1;
    const after = text.charCodeAt(next);
    if (after === CLOSE_BRACE) return next + 1;
    if (after !== COMMA) return -1;
  }
}
