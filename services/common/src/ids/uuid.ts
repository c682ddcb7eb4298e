import { randomUUID } from 'node:crypto';

/** Where the version of a UUID stands, and its time ends, in its text. */
const VERSION_AT = 14;
const TIME_DIGITS = 12;

/**
 * A UUID of version 7 (RFC 9562, section 5.7): 48 bits of Unix time in milliseconds, then random bits. IDs made later
 * sort later, to the millisecond.
 */
export function uuidV7(nowMs: number = Date.now()): string {
  // Node.js draws the random bits of many UUIDs at once, and has set the variant.
  const random = randomUUID();
  const time = nowMs.toString(16).padStart(TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(VERSION_AT + 1)}`;
}
