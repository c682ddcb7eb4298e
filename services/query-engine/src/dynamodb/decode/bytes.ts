/** Searching in bodies. */

const QUOTE = 34;

/** Bytes that are looked at one by one: for so few it is faster than a call. */
const nearBytes = 24;

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
