/**
 * Documents (M, L and the sets) from DynamoDB's compact form to plain JSON, byte by byte: the text that `plainJson` makes
 * of their parsed form, without parsing. Most of it stands in the body already and only loses its types.
 *
 * Whatever takes more makes it give up (-1): names with escapes, names that come twice, great depth, damage. The caller
 * then takes the general path for this value.
 */
import { goesOnWith } from './bytes.ts';
import { comparableNumber, numberEnd } from './number-text.ts';
import { scalarJson } from './plain-json.ts';
import { closeBrace, depthMax, skipStrings, stringEnd } from './skip-value.ts';
import { TextBuffer } from './text-buffer.ts';
import { TextParts } from './text-parts.ts';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const LETTER_B = 66;
const LETTER_L = 76;
const LETTER_M = 77;
const LETTER_N = 78;
const LETTER_S = 83;
const BOOL_TRUE = Buffer.from('BOOL":true}');
const BOOL_FALSE = Buffer.from('BOOL":false}');
const NULL = Buffer.from('NULL":true}');
const SET = Buffer.from('S":[');

/** Writes one document at a time. */
export class DocumentText {
  /** What was written last. */
  readonly text = new TextBuffer();
  /** The members of the maps that are being written, and the values of the set. */
  private readonly parts = new TextParts();

  /** Writes the attribute value that starts at `at`. Answers the position after it, or -1. `view` is of the body. */
  write(body: Buffer, view: DataView, at: number): number {
    this.text.clear();
    this.text.view = view;
    this.parts.clear();
    return this.value(body, at, 0);
  }

  private value(body: Buffer, at: number, depth: number): number {
    if (body[at] !== OPEN_BRACE || body[at + 1] !== QUOTE) return -1;
    if (body[at + 3] !== QUOTE) return this.longTyped(body, at + 2);
    if (body[at + 4] !== COLON || depth > depthMax) return -1;
    switch (body[at + 2]) {
      case LETTER_S:
      case LETTER_B:
        return closeBrace(body, this.text.addString(body, at + 5, false));
      case LETTER_N:
        return closeBrace(body, this.number(body, at + 5));
      case LETTER_M:
        return closeBrace(body, this.map(body, at + 5, depth + 1));
      case LETTER_L:
        return closeBrace(body, this.list(body, at + 5, depth + 1));
      default:
        return -1;
    }
  }

  /** A value of a type with several letters, the first of them at `at`. */
  private longTyped(body: Buffer, at: number): number {
    if (goesOnWith(body, at + 1, SET)) {
      switch (body[at]) {
        case LETTER_S:
          return closeBrace(body, this.textSet(body, at + 5));
        case LETTER_N:
          return closeBrace(body, this.numberSet(body, at + 5));
        case LETTER_B:
          return closeBrace(body, this.otherSet('BS', body, at + 5));
        default:
          return -1;
      }
    }
    if (goesOnWith(body, at, BOOL_TRUE)) return this.literal('true', at + BOOL_TRUE.length);
    if (goesOnWith(body, at, BOOL_FALSE)) return this.literal('false', at + BOOL_FALSE.length);
    return goesOnWith(body, at, NULL) ? this.literal('null', at + NULL.length) : -1;
  }

  private literal(text: string, end: number): number {
    for (let i = 0; i < text.length; i++) this.text.add(text.charCodeAt(i));
    return end;
  }

  private map(body: Buffer, at: number, depth: number): number {
    if (body[at] !== OPEN_BRACE) return -1;
    const { text, parts } = this;
    text.add(OPEN_BRACE);
    if (body[at + 1] === CLOSE_BRACE) {
      text.add(CLOSE_BRACE);
      return at + 2;
    }
    const first = parts.count;
    let inOrder = true;
    for (let next = at + 1; ; next++) {
      const start = text.length;
      next = text.addString(body, next, true);
      if (next < 0 || body[next] !== COLON) return -1;
      if (!parts.addQuoted(text, first, start)) inOrder = false;
      text.add(COLON);
      next = this.value(body, next + 1, depth);
      if (next < 0) return -1;
      const after = body[next];
      if (after === CLOSE_BRACE) {
        // Of two members with one name only the last would count.
        if (!inOrder && parts.sortQuoted(text, first)) return -1;
        parts.count = first;
        text.add(CLOSE_BRACE);
        return next + 1;
      }
      if (after !== COMMA) return -1;
      text.add(COMMA);
    }
  }

  private list(body: Buffer, at: number, depth: number): number {
    if (body[at] !== OPEN_BRACKET) return -1;
    const { text } = this;
    text.add(OPEN_BRACKET);
    if (body[at + 1] === CLOSE_BRACKET) {
      text.add(CLOSE_BRACKET);
      return at + 2;
    }
    for (let next = at + 1; ; next++) {
      next = this.value(body, next, depth);
      if (next < 0) return -1;
      const after = body[next];
      if (after === CLOSE_BRACKET) {
        text.add(CLOSE_BRACKET);
        return next + 1;
      }
      if (after !== COMMA) return -1;
      text.add(COMMA);
    }
  }

  /** A set of texts whose first quote is at `at`: its texts as they stand, if none has escapes. */
  private textSet(body: Buffer, at: number): number {
    const { text, parts } = this;
    const mark = text.length;
    text.add(OPEN_BRACKET);
    const first = parts.count;
    let inOrder = true;
    for (let next = at; ; next++) {
      const start = text.length;
      next = text.addString(body, next, true);
      if (next < 0) {
        text.length = mark;
        parts.count = first;
        return this.otherSet('SS', body, at);
      }
      if (!parts.addQuoted(text, first, start)) inOrder = false;
      const after = body[next];
      if (after === CLOSE_BRACKET) {
        if (!inOrder) parts.sortQuoted(text, first);
        parts.count = first;
        text.add(CLOSE_BRACKET);
        return next + 1;
      }
      if (after !== COMMA) return -1;
      text.add(COMMA);
    }
  }

  /** A set of numbers whose first quote is at `at`: its numbers as they stand, if doubles tell them apart. */
  private numberSet(body: Buffer, at: number): number {
    const { text, parts } = this;
    const mark = text.length;
    text.add(OPEN_BRACKET);
    const first = parts.count;
    let inOrder = true;
    for (let next = at; ; next++) {
      const end = body[next] === QUOTE ? numberEnd(body, next + 1) : -1;
      const number = end < 0 ? NaN : comparableNumber(body, next + 1, end);
      if (Number.isNaN(number)) {
        text.length = mark;
        parts.count = first;
        return this.otherSet('NS', body, at);
      }
      if (!parts.addNumber(number, first, text.length)) inOrder = false;
      text.addBytes(body, next + 1, end);
      next = end + 1;
      const after = body[next];
      if (after === CLOSE_BRACKET) {
        if (!inOrder) parts.sortNumbers(text, first);
        parts.count = first;
        text.add(CLOSE_BRACKET);
        return next + 1;
      }
      if (after !== COMMA) return -1;
      text.add(COMMA);
    }
  }

  /** Any set whose first quote is at `at`. */
  private otherSet(type: 'SS' | 'NS' | 'BS', body: Buffer, at: number): number {
    const end = skipStrings(body, at);
    const value = end < 0 ? undefined : parsed(body, at - 1, end);
    if (value === undefined) return -1;
    this.text.addText(scalarJson({ type, value: value as string[] }));
    return end;
  }

  /** A number whose first quote is at `at`. */
  private number(body: Buffer, at: number): number {
    if (body[at] !== QUOTE) return -1;
    const jsonEnd = numberEnd(body, at + 1);
    if (jsonEnd > 0) {
      this.text.addBytes(body, at + 1, jsonEnd);
      return jsonEnd + 1;
    }
    const end = stringEnd(body, at + 1);
    const value = end < 0 ? undefined : parsed(body, at, end + 1);
    if (value === undefined) return -1;
    this.text.addText(scalarJson({ type: 'N', value: value as string }));
    return end + 1;
  }
}

/** What `JSON.parse` makes of a string or of strings in brackets; undefined where it finds damage. */
function parsed(body: Buffer, start: number, end: number): unknown {
  try {
    return JSON.parse(body.toString('utf8', start, end));
  } catch {
    return undefined;
  }
}
