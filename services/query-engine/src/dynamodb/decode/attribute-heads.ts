/** How attributes start in a body. Items of a table are mostly alike, so a start is mostly one that was met before. */
import { TypeCode } from '../column-batch.ts';
import { goesOnWith } from './bytes.ts';
import type { WantedAttribute } from './wanted-attributes.ts';

/** How an attribute starts in the body, and how those that came after it so far do. */
export interface Met {
  /**
   * The name with quotes and colon. For a string, number or binary also what stands before its content (`"a":{"S":"`), for
   * a BOOL or NULL all of it, for a document its type (`"a":{"M":`).
   */
  readonly head: Buffer;
  /** The head four bytes at a time, from its start; and its last four. */
  readonly words: Int32Array;
  readonly lastWord: number;
  /** Where the scan goes on: after the head, or for a document after the colon, since its value is read as a whole. */
  readonly length: number;
  /** MISSING where any other value follows the head. */
  readonly type: TypeCode;
  /** A BOOL's text. */
  readonly text: Buffer;
  readonly attribute: WantedAttribute | undefined;
  readonly followers: Met[];
}

/** What follows a name, where that alone tells what to do. */
interface Start {
  readonly text: string;
  readonly bytes: Buffer;
  readonly type: TypeCode;
  readonly value: Buffer;
}

const startOf = (text: string, type: TypeCode, value = ''): Start =>
  Object.freeze({ text, bytes: Buffer.from(text), type, value: Buffer.from(value) });

const STARTS: readonly Start[] = Object.freeze([
  startOf('{"S":"', TypeCode.S),
  startOf('{"N":"', TypeCode.N),
  startOf('{"B":"', TypeCode.B),
  startOf('{"BOOL":true}', TypeCode.BOOL, 'true'),
  startOf('{"BOOL":false}', TypeCode.BOOL, 'false'),
  startOf('{"NULL":true}', TypeCode.NULL),
  startOf('{"M":', TypeCode.M),
  startOf('{"L":', TypeCode.L),
  startOf('{"SS":', TypeCode.SS),
  startOf('{"NS":', TypeCode.NS),
  startOf('{"BS":', TypeCode.BS),
]);
/** Of a value that is taken as a whole. */
export const OTHER = startOf('', TypeCode.MISSING);

const WORD_BYTES = 4;

/** What comes before the first attribute of an item. */
export const newFirst = (): Met => newMet('', OTHER, undefined);

/** The start of the value that stands at `at`. */
export function startAt(body: Buffer, at: number): Start {
  return STARTS.find(({ bytes }) => goesOnWith(body, at, bytes)) ?? OTHER;
}

/** An attribute met for the first time: `key` is its name with quotes and colon, then the start's text. */
export function newMet(
  key: string,
  { text, type, value }: Start,
  attribute: WantedAttribute | undefined,
): Met {
  const head = Buffer.from(key);
  const words = new Int32Array(Math.floor(head.length / WORD_BYTES));
  for (let i = 0; i < words.length; i++) words[i] = head.readInt32LE(i * WORD_BYTES);
  return {
    head,
    words,
    lastWord: words.length === 0 ? 0 : head.readInt32LE(head.length - WORD_BYTES),
    length: type >= TypeCode.M ? head.length - text.length : head.length,
    type,
    text: value,
    attribute,
    followers: [],
  };
}

/** The one of them that the body, which `view` is of too, goes on with at `at`; null where it is none. */
export function metAt(followers: readonly Met[], body: Buffer, view: DataView, at: number): Met | null {
  for (let i = 0; i < followers.length; i++) {
    const follower = followers[i] as Met;
    if (goesOnWithHead(body, view, at, follower)) return follower;
  }
  return null;
}

/** As `goesOnWith`, by words instead of bytes: most of the scan's time goes by here. */
function goesOnWithHead(body: Buffer, view: DataView, at: number, { head, words, lastWord }: Met): boolean {
  if (words.length === 0) return goesOnWith(body, at, head);
  const lastAt = at + head.length - WORD_BYTES;
  if (lastAt + WORD_BYTES > body.length) return false;
  for (let i = 0; i < words.length; i++)
    if (view.getInt32(at + i * WORD_BYTES, true) !== words[i]) return false;
  return view.getInt32(lastAt, true) === lastWord;
}
