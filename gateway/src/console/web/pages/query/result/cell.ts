/** A value as the engine wrote it, for the grid: every digit as it came. */
import { CELL_CHARS_MAX } from '../limits.ts';

export type CellKind = 'null' | 'text' | 'number' | 'boolean' | 'document';

export interface Cell {
  readonly kind: CellKind;
  /** Of a text its characters, of anything else its JSON. */
  readonly text: string;
  /** More of it is not shown here. */
  readonly isCut: boolean;
}

const decoder = new TextDecoder();

const KINDS: Readonly<Record<string, CellKind>> = Object.freeze({
  n: 'null',
  t: 'boolean',
  f: 'boolean',
  '"': 'text',
  '{': 'document',
  '[': 'document',
});

/** A character of a text takes at most six bytes of JSON (an escape), a pair of halves twelve. */
const ESCAPE_BYTES_MAX = 12;

/** The first characters of a JSON string; it may be cut within a character or an escape. */
function beginning(json: string): string {
  for (let end = json.length; end > json.length - ESCAPE_BYTES_MAX - 1; end -= 1) {
    try {
      return JSON.parse(`${json.slice(0, end)}"`) as string;
    } catch {
      // Cut within an escape: a little less of it is whole.
    }
  }
  return '';
}

/** The decoder costs more than so many characters of ASCII, which most values are, and is asked for each cell that scrolls by. */
const ASCII_CHARS_MAX = 48;

function textOf(bytes: Uint8Array, start: number, end: number): string {
  const part = bytes.subarray(start, end);
  const isShortAscii = part.length <= ASCII_CHARS_MAX && part.every((byte) => byte < 0x80);
  return isShortAscii ? String.fromCharCode(...part) : decoder.decode(part);
}

/** `at`: where its JSON is. */
export function cellAt(bytes: Uint8Array, start: number, end: number): Cell {
  const first = String.fromCharCode(bytes[start] ?? 0);
  const kind = KINDS[first] ?? 'number';
  const isLong = end - start > CELL_CHARS_MAX * 4;
  const json = textOf(bytes, start, isLong ? start + CELL_CHARS_MAX * 4 : end);
  const text = kind === 'text' ? (isLong ? beginning(json) : (JSON.parse(json) as string)) : json;
  const isCut = kind !== 'number' && (isLong || text.length > CELL_CHARS_MAX);
  return { kind, text: isCut ? text.slice(0, CELL_CHARS_MAX) : text, isCut };
}

/** All of a value, as text. */
export function wholeText(bytes: Uint8Array, start: number, end: number): string {
  const json = decoder.decode(bytes.subarray(start, end));
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}
