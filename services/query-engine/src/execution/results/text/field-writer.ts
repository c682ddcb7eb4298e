/** Values as fields of a row, JSON's or CSV's, from UTF-8 to UTF-8: no text is made of what is only passed on. */
import { csvField } from '../row-format.ts';
import { makeRoom, putBytes, putText, type ByteSink } from './byte-sink.ts';

type WriteBytes = (sink: ByteSink, from: Buffer, start: number, end: number) => void;

/** Writes one field each. What comes as bytes is UTF-8. */
export interface FieldWriter {
  /** True of bytes of which every part, as a text, is written as it is: for columns, most of which need no closer look. */
  readonly isClean: (bytes: Buffer) => boolean;
  /** A text of clean bytes. */
  readonly cleanText: WriteBytes;
  readonly nothing: (sink: ByteSink) => void;
  /** A text, as it is stored. */
  readonly text: WriteBytes;
  /** A number or truth value, as JSON shows it. */
  readonly plain: WriteBytes;
  /** A document, as JSON text. */
  readonly document: WriteBytes;
  /** Any value, from its JSON text. */
  readonly cell: (sink: ByteSink, json: string) => void;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const COMMA = 0x2c;
const LF = 0x0a;
const CR = 0x0d;
const NULL = Buffer.from('null');

/** Escapes that JSON has a letter for; others below the space are written as `\u00..`. */
const ESCAPES: ReadonlyMap<number, number> = new Map(
  ['b\b', 't\t', 'n\n', 'f\f', 'r\r', '""', '\\\\'].map((pair) => [pair.charCodeAt(1), pair.charCodeAt(0)]),
);
const HEX = Buffer.from('0123456789abcdef');
/** Bytes of the longest escape, `\u001f`. */
const ESCAPE_BYTES_MAX = 6;

function escape(bytes: Buffer, at: number, byte: number): number {
  let to = at;
  bytes[to++] = BACKSLASH;
  const letter = ESCAPES.get(byte);
  if (letter !== undefined) {
    bytes[to++] = letter;
    return to;
  }
  bytes[to++] = 0x75;
  bytes[to++] = HEX[0] as number;
  bytes[to++] = HEX[0] as number;
  bytes[to++] = HEX[byte >> 4] as number;
  bytes[to++] = HEX[byte & 15] as number;
  return to;
}

/** The first byte that JSON escapes, or the end. */
function firstEscaped(from: Buffer, start: number, end: number): number {
  let i = start;
  for (; i < end; i++) {
    const byte = from[i] as number;
    if (byte < SPACE || byte === QUOTE || byte === BACKSLASH) return i;
  }
  return i;
}

/** As JSON.stringify writes it. */
function jsonText(sink: ByteSink, from: Buffer, start: number, end: number): void {
  const clean = firstEscaped(from, start, end);
  makeRoom(sink, 2 + (clean - start) + ESCAPE_BYTES_MAX * (end - clean));
  sink.bytes[sink.length++] = QUOTE;
  putBytes(sink, from, start, clean);
  const { bytes } = sink;
  let at = sink.length;
  for (let i = clean; i < end; i++) {
    const byte = from[i] as number;
    if (byte < SPACE || byte === QUOTE || byte === BACKSLASH) at = escape(bytes, at, byte);
    else bytes[at++] = byte;
  }
  bytes[at++] = QUOTE;
  sink.length = at;
}

/** True for what RFC 4180 quotes a field for; an empty text is quoted too: it is not NULL, which is nothing at all. */
function needsQuotes(from: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = from[i] as number;
    if (byte === QUOTE || byte === COMMA || byte === LF || byte === CR) return true;
  }
  return start === end;
}

function csvText(sink: ByteSink, from: Buffer, start: number, end: number): void {
  if (!needsQuotes(from, start, end)) return putBytes(sink, from, start, end);
  makeRoom(sink, 2 + 2 * (end - start));
  const { bytes } = sink;
  let at = sink.length;
  bytes[at++] = QUOTE;
  for (let i = start; i < end; i++) {
    const byte = from[i] as number;
    if (byte === QUOTE) bytes[at++] = QUOTE;
    bytes[at++] = byte;
  }
  bytes[at++] = QUOTE;
  sink.length = at;
}

/** A byte each. */
const ONES = 0x01010101;
const HIGH_BITS = 0x80808080;

/** True where a byte is below the space: four bytes at a time ("Bit Twiddling Hacks", hasless). */
function hasControls(bytes: Buffer): boolean {
  const words = bytes.length - (bytes.length % 4);
  for (let i = 0; i < words; i += 4) {
    const word =
      (bytes[i] as number) |
      ((bytes[i + 1] as number) << 8) |
      ((bytes[i + 2] as number) << 16) |
      ((bytes[i + 3] as number) << 24);
    if (((word - ONES * SPACE) & ~word & HIGH_BITS) !== 0) return true;
  }
  for (let i = words; i < bytes.length; i++) if ((bytes[i] as number) < SPACE) return true;
  return false;
}

const isCleanJson = (bytes: Buffer): boolean =>
  !bytes.includes(QUOTE) && !bytes.includes(BACKSLASH) && !hasControls(bytes);

const isCleanCsv = (bytes: Buffer): boolean =>
  !bytes.includes(QUOTE) && !bytes.includes(COMMA) && !bytes.includes(LF) && !bytes.includes(CR);

function cleanJson(sink: ByteSink, from: Buffer, start: number, end: number): void {
  makeRoom(sink, end - start + 2);
  sink.bytes[sink.length++] = QUOTE;
  putBytes(sink, from, start, end);
  sink.bytes[sink.length++] = QUOTE;
}

const JSON_FIELDS: FieldWriter = Object.freeze({
  nothing: (sink: ByteSink) => putBytes(sink, NULL, 0, NULL.length),
  isClean: isCleanJson,
  cleanText: cleanJson,
  text: jsonText,
  plain: putBytes,
  document: putBytes,
  cell: putText,
});

const CSV_FIELDS: FieldWriter = Object.freeze({
  nothing: () => undefined,
  isClean: isCleanCsv,
  // An empty one is quoted.
  cleanText: (sink: ByteSink, from: Buffer, start: number, end: number) =>
    start === end ? csvText(sink, from, start, end) : putBytes(sink, from, start, end),
  text: csvText,
  plain: putBytes,
  document: csvText,
  cell: (sink: ByteSink, json: string) => putText(sink, csvField(json)),
});

export const fieldWriter = (format: 'ndjson' | 'csv'): FieldWriter =>
  format === 'csv' ? CSV_FIELDS : JSON_FIELDS;
