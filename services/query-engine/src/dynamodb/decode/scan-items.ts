/**
 * The fast path: one pass over the compact bytes that DynamoDB sends, copying out only the wanted values.
 *
 * Written for speed, so it looks at bytes and keeps no tree. Whatever is not in the compact form makes it give up (-1),
 * and the general path reads the body again.
 */
import { TypeCode } from '../column-batch.ts';
import type { Sliced } from '../../scheduling/sliced-work.ts';
import { metAt, newFirst, newMet, OTHER, startAt, type Met } from './attribute-heads.ts';
import { nextQuote, noView, viewOf } from './bytes.ts';
import { cellAt } from './cell.ts';
import type { ColumnSink } from './column-sink.ts';
import { DocumentText } from './document-text.ts';
import { OthersDocument } from './others-document.ts';
import { skipValue, stringEnd } from './skip-value.ts';
import type { WantedAttribute, WantedAttributes } from './wanted-attributes.ts';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Followers that are compared before the name is looked up. */
const followersMax = 6;
/** Bytes scanned before others may have their turn: a fraction of a millisecond. */
const sliceBytes = 16_384;
/** Heads kept; items whose names are data could have any number of them. */
const headsMax = 2000;

/** Scans items into sinks; one for each read, so that what it learns of the items' shape lasts from page to page. */
export class ItemScanner {
  /** Rows put into the sinks since `start`. */
  rowCount = 0;
  private sinks: readonly ColumnSink[] = [];
  /** The first backslash that is not yet behind us: strings that end before it have no escapes. */
  private backslash = -1;
  /** The body that is scanned, and a view of it. */
  private viewed: Buffer | null = null;
  private view = noView;
  private readonly wanted: WantedAttributes;
  private readonly document = new DocumentText();
  private readonly others = new OthersDocument();
  private readonly met = new Map<string, Met>();
  private readonly first: Met = newFirst();

  constructor(wanted: WantedAttributes) {
    this.wanted = wanted;
  }

  /** Before each body. */
  start(sinks: readonly ColumnSink[]): void {
    this.sinks = sinks;
    this.rowCount = 0;
    this.backslash = -1;
    this.others.clear();
  }

  /** After each body: keeps nothing of it in memory. */
  end(): void {
    this.sinks = [];
    this.viewed = null;
    this.view = noView;
    this.document.text.view = noView;
  }

  /** An array of items that starts at `at`: the position after it, or -1. Another body may be scanned between slices. */
  *scanArray(body: Buffer, at: number): Sliced<number> {
    if (body[at] !== OPEN_BRACKET) return -1;
    if (body[at + 1] === CLOSE_BRACKET) return at + 2;
    let sliceEnd = at + sliceBytes;
    for (let next = at + 1; ; next++) {
      if (next > sliceEnd) {
        const { sinks, rowCount, backslash } = this;
        yield;
        this.sinks = sinks;
        this.rowCount = rowCount;
        this.backslash = backslash;
        sliceEnd = next + sliceBytes;
      }
      next = this.scanItem(body, next);
      if (next < 0) return -1;
      const after = body[next];
      if (after === CLOSE_BRACKET) return next + 1;
      if (after !== COMMA) return -1;
    }
  }

  /** One item that starts at `at`: the position after it, or -1. */
  scanItem(body: Buffer, at: number): number {
    if (body[at] !== OPEN_BRACE) return -1;
    const row = this.rowCount++;
    if (body[at + 1] === CLOSE_BRACE) return at + 2;
    const view = this.viewOf(body);
    let before = this.first;
    for (let next = at + 1; ; next++) {
      const met = metAt(before.followers, body, view, next) ?? this.learn(body, next, before);
      if (met === null) return -1;
      next += met.length;
      switch (met.type) {
        case TypeCode.MISSING:
          next = this.scanOther(body, next, row, met);
          break;
        case TypeCode.BOOL:
        case TypeCode.NULL:
          this.put(row, met);
          break;
        case TypeCode.S:
        case TypeCode.N:
        case TypeCode.B:
          next = this.scanPlain(body, next, row, met);
          break;
        default:
          next = this.scanDocument(body, next, row, met);
      }
      if (next < 0) return -1;
      const after = body[next];
      if (after === CLOSE_BRACE) {
        if (this.wanted.others !== null) this.others.put(this.sinks[this.wanted.others], row);
        return next + 1;
      }
      if (after !== COMMA) return -1;
      before = met;
    }
  }

  private viewOf(body: Buffer): DataView {
    if (body !== this.viewed) {
      this.viewed = body;
      this.view = viewOf(body);
    }
    return this.view;
  }

  private learn(body: Buffer, at: number, before: Met): Met | null {
    if (body[at] !== QUOTE) return null;
    const end = stringEnd(body, at + 1);
    if (end < 0 || body[end + 1] !== COLON) return null;
    const name = body.toString('utf8', at + 1, end);
    if (name.includes('\\')) return null;
    const attribute = this.wanted.of(name);
    // What is part of a document is parsed as a whole.
    const start = attribute !== undefined && attribute.other !== null ? OTHER : startAt(body, end + 2);
    const key = `"${name}":${start.text}`;
    let met = this.met.get(key);
    if (met === undefined) {
      met = newMet(key, start, attribute);
      if (this.met.size < headsMax) this.met.set(key, met);
    }
    if (before.followers.length < followersMax) before.followers.push(met);
    return met;
  }

  /** A string, number or binary whose content starts at `at`. */
  private scanPlain(body: Buffer, at: number, row: number, { type, attribute }: Met): number {
    let end = nextQuote(body, at);
    if (this.backslash < at) this.backslash = positionOf(body, BACKSLASH, at);
    const escaped = this.backslash < end;
    if (escaped) end = stringEnd(body, at);
    if (end < 0 || body[end + 1] !== CLOSE_BRACE) return -1;
    if (attribute === undefined) return end + 2;
    const { whole, nested, discovery } = attribute;
    if (discovery !== null) discovery.typesSeen |= 1 << type;
    if (whole.length > 0) {
      if (escaped) {
        const text = unescape(body, at, end);
        if (text === null) return -1;
        for (const column of whole) this.sinks[column]?.setText(row, type, text);
      } else for (const column of whole) this.sinks[column]?.setBytes(row, type, body, at, end);
    }
    for (const { column } of nested) this.sinks[column]?.setText(row, TypeCode.MISSING, null);
    return end + 2;
  }

  /** A BOOL or NULL. */
  private put(row: number, { type, text, attribute }: Met): void {
    if (attribute === undefined) return;
    const { whole, nested, discovery } = attribute;
    if (discovery !== null) discovery.typesSeen |= 1 << type;
    for (const column of whole) this.sinks[column]?.setBytes(row, type, text, 0, text.length);
    for (const { column } of nested) this.sinks[column]?.setText(row, TypeCode.MISSING, null);
  }

  /** An M, an L or a set that starts at `at`. */
  private scanDocument(body: Buffer, at: number, row: number, met: Met): number {
    const { type, attribute } = met;
    if (attribute === undefined) return skipValue(body, at);
    const { whole, nested, discovery } = attribute;
    if (nested.length > 0 || (whole.length === 0 && discovery === null))
      return this.scanOther(body, at, row, met);
    const end = this.document.write(body, this.view, at);
    if (end < 0) return this.scanOther(body, at, row, met);
    if (discovery !== null) discovery.typesSeen |= 1 << type;
    const { bytes, length } = this.document.text;
    for (const column of whole) this.sinks[column]?.setBytes(row, type, bytes, 0, length);
    return end;
  }

  /** Any value that starts at `at`, by way of `JSON.parse`. */
  private scanOther(body: Buffer, at: number, row: number, { attribute }: Met): number {
    const end = skipValue(body, at);
    if (end < 0 || attribute === undefined) return end;
    const { whole, nested, discovery } = attribute;
    if (whole.length === 0 && nested.length === 0 && discovery === null) return end;
    let value: unknown;
    try {
      value = JSON.parse(body.toString('utf8', at, end));
    } catch {
      return -1;
    }
    putValue(this.sinks, row, attribute, value);
    if (attribute.other !== null) this.others.add(attribute.other, value);
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
    for (const column of whole) sinks[column]?.setText(row, cell.type, cell.value);
  }
  for (const { column, path } of nested) {
    const cell = cellAt(value, path);
    sinks[column]?.setText(row, cell.type, cell.value);
  }
}

/** The text of a string with escapes; null where one is none. */
function unescape(body: Buffer, start: number, end: number): string | null {
  try {
    return String(JSON.parse(body.toString('utf8', start - 1, end + 1)));
  } catch {
    return null;
  }
}

function positionOf(body: Buffer, byte: number, from: number): number {
  const at = body.indexOf(byte, from);
  return at < 0 ? Infinity : at;
}
