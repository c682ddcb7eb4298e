/**
 * The fast path: one pass over the compact text that DynamoDB sends, cutting out only the wanted values.
 *
 * Written for speed, so it looks at character codes and keeps no tree. Whatever is not in the compact form makes it
 * give up (-1), and the general path reads the body again.
 */
import { TypeCode } from '../column-batch.ts';
import { cellAt } from './cell.ts';
import type { ColumnSink } from './column-sink.ts';
import { skipValue, stringEnd } from './skip-value.ts';
import type { WantedAttribute, WantedAttributes } from './wanted-attributes.ts';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const LETTER_B = 66;
const LETTER_N = 78;
const LETTER_S = 83;

/** An attribute's name in the text, and which ones came after it so far: items of a table are mostly alike. */
interface Met {
  /** With quotes and colon. */
  readonly text: string;
  readonly attribute: WantedAttribute | undefined;
  readonly followers: Met[];
}

/** Followers that are compared before the name is looked up. */
const followersMax = 6;
/** Names kept; items whose names are data could have any number of them. */
const namesMax = 2000;

/** Scans items into sinks; one for each read, so that what it learns of the items' shape lasts from page to page. */
export class ItemScanner {
  /** Rows put into the sinks since `start`. */
  rowCount = 0;
  private sinks: readonly ColumnSink[] = [];
  /** The first backslash that is not yet behind us: strings that end before it have no escapes. */
  private backslash = -1;
  private readonly wanted: WantedAttributes;
  private readonly met = new Map<string, Met>();
  private readonly first: Met = { text: '', attribute: undefined, followers: [] };

  constructor(wanted: WantedAttributes) {
    this.wanted = wanted;
  }

  /** Before each text. */
  start(sinks: readonly ColumnSink[]): void {
    this.sinks = sinks;
    this.rowCount = 0;
    this.backslash = -1;
  }

  /** An array of items that starts at `at`: the position after it, or -1. */
  scanArray(text: string, at: number): number {
    if (text.charCodeAt(at) !== OPEN_BRACKET) return -1;
    if (text.charCodeAt(at + 1) === CLOSE_BRACKET) return at + 2;
    for (let next = at + 1; ; next++) {
      next = this.scanItem(text, next);
      if (next < 0) return -1;
      const after = text.charCodeAt(next);
      if (after === CLOSE_BRACKET) return next + 1;
      if (after !== COMMA) return -1;
    }
  }

  /** One item that starts at `at`: the position after it, or -1. */
  scanItem(text: string, at: number): number {
    if (text.charCodeAt(at) !== OPEN_BRACE) return -1;
    const row = this.rowCount++;
    if (text.charCodeAt(at + 1) === CLOSE_BRACE) return at + 2;
    let before = this.first;
    for (let next = at + 1; ; next++) {
      const name = nextName(before.followers, text, next) ?? this.learn(text, next, before);
      if (name === null) return -1;
      next = this.scanValue(text, next + name.text.length, row, name.attribute);
      if (next < 0) return -1;
      const after = text.charCodeAt(next);
      if (after === CLOSE_BRACE) return next + 1;
      if (after !== COMMA) return -1;
      before = name;
    }
  }

  private learn(text: string, at: number, before: Met): Met | null {
    if (text.charCodeAt(at) !== QUOTE) return null;
    const end = stringEnd(text, at + 1);
    if (end < 0 || text.charCodeAt(end + 1) !== COLON) return null;
    const name = text.slice(at + 1, end);
    if (name.includes('\\')) return null;
    let met = this.met.get(name);
    if (met === undefined) {
      // A copy: a slice would keep its whole page in memory for as long as the read lasts.
      const ownName = Buffer.from(name).toString();
      met = { text: `"${ownName}":`, attribute: this.wanted.of(ownName), followers: [] };
      if (this.met.size < namesMax) this.met.set(ownName, met);
    }
    if (before.followers.length < followersMax) before.followers.push(met);
    return met;
  }

  private scanValue(text: string, at: number, row: number, attribute: WantedAttribute | undefined): number {
    const letter = text.charCodeAt(at + 2);
    const plain = letter === LETTER_S || letter === LETTER_N || letter === LETTER_B;
    if (!plain || text.charCodeAt(at + 3) !== QUOTE) return this.scanOther(text, at, row, attribute);
    if (text.charCodeAt(at) !== OPEN_BRACE || text.charCodeAt(at + 1) !== QUOTE) return -1;
    if (text.charCodeAt(at + 4) !== COLON || text.charCodeAt(at + 5) !== QUOTE) return -1;
    let end = text.indexOf('"', at + 6);
    if (this.backslash < at + 6) this.backslash = positionOf(text, '\\', at + 6);
    const escaped = this.backslash < end;
    if (escaped) end = stringEnd(text, at + 6);
    if (end < 0 || text.charCodeAt(end + 1) !== CLOSE_BRACE) return -1;
    if (attribute === undefined) return end + 2;
    const type = letter === LETTER_S ? TypeCode.S : letter === LETTER_N ? TypeCode.N : TypeCode.B;
    if (attribute.discovery !== null) attribute.discovery.typesSeen |= 1 << type;
    if (attribute.whole.length > 0) {
      let value = text.substring(at + 6, end);
      if (escaped) {
        const unescaped = unescape(value);
        if (unescaped === null) return -1;
        value = unescaped;
      }
      for (const column of attribute.whole) this.sinks[column]?.set(row, type, value);
    }
    for (const { column } of attribute.nested) this.sinks[column]?.set(row, TypeCode.MISSING, null);
    return end + 2;
  }

  private scanOther(text: string, at: number, row: number, attribute: WantedAttribute | undefined): number {
    const end = skipValue(text, at);
    if (end < 0 || attribute === undefined) return end;
    const { whole, nested, discovery } = attribute;
    if (whole.length === 0 && nested.length === 0 && discovery === null) return end;
    let value: unknown;
    try {
      value = JSON.parse(text.slice(at, end));
    } catch {
      return -1;
    }
    putValue(this.sinks, row, attribute, value);
    return end;
  }
}

/** Puts a parsed attribute value into the columns that want it or something below it. Throws MalformedBodyError. */
export function putValue(
  sinks: readonly ColumnSink[],
  row: number,
  { whole, nested, discovery }: WantedAttribute,
  value: unknown,
): void {
  if (whole.length > 0 || discovery !== null) {
    const cell = cellAt(value, []);
    if (discovery !== null) discovery.typesSeen |= 1 << cell.type;
    for (const column of whole) sinks[column]?.set(row, cell.type, cell.value);
  }
  for (const { column, path } of nested) {
    const cell = cellAt(value, path);
    sinks[column]?.set(row, cell.type, cell.value);
  }
}

function unescape(content: string): string | null {
  try {
    return String(JSON.parse(`"${content}"`));
  } catch {
    return null;
  }
}

function positionOf(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at < 0 ? Infinity : at;
}

function nextName(followers: readonly Met[], text: string, at: number): Met | null {
  for (let i = 0; i < followers.length; i++) {
    const follower = followers[i] as Met;
    if (text.startsWith(follower.text, at)) return follower;
  }
  return null;
}
