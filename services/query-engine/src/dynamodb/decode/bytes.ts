/** Searching in bodies. */

const QUOTE = 34;
const FOUR_SPACES = 0x20202020;
const FOUR_BACKSLASHES = 0x5c5c5c5c;
const FOUR_ONES = 0x01010101;
const FOUR_HIGH_BITS = 0x80808080;

/** Bytes that are looked at one by one: for so few it is faster than a call. */
const nearBytes = 24;

/** Copies that are made byte by byte: for so few it is faster than a call. */
export const shortCopyBytes = 24;

/** Whether the body goes on with `expected` at `at`. */
export function goesOnWith(body: Buffer, at: number, expected: Buffer): boolean {
  const { length } = expected;
  if (at + length > body.length) return false;
  for (let i = 0; i < length; i++) if (body[at + i] !== expected[i]) return false;
  return true;
}

/** The position of the next quote, -1 where there is none. */
export function nextQuote(body: Buffer, at: number): number {
  const near = Math.min(at + nearBytes, body.length);
  for (let i = at; i < near; i++) if (body[i] === QUOTE) return i;
  return body.indexOf(QUOTE, near);
}

/** A view of nothing. */
export const noView: DataView = new DataView(new ArrayBuffer(0));

/** A view of the same bytes, to read several at once. */
export function viewOf(body: Buffer): DataView {
  return new DataView(body.buffer, body.byteOffset, body.length);
}

/**
 * How far, from `start` and before `end`, the bytes are such that JSON has no escapes for them (other than quotes, of which
 * there must be none). It goes by four bytes, and may stop up to three early.
 */
export function unescapedEnd(view: DataView, start: number, end: number): number {
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const word = view.getInt32(at, true);
    const slashes = word ^ FOUR_BACKSLASHES;
    // The high bit of a byte in `x - n & ~x` tells of a byte below n (in its lowest such byte; those above may err).
    if ((((word - FOUR_SPACES) & ~word) | ((slashes - FOUR_ONES) & ~slashes)) & FOUR_HIGH_BITS) break;
  }
  return at;
}
