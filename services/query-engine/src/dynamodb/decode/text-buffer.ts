/** Collects JSON text as bytes, most of it copied from a body that has it already. */
import { noView, shortCopyBytes, unescapedEnd } from './bytes.ts';
import { stringEnd } from './skip-value.ts';

const SPACE = 32;
const QUOTE = 34;
const BACKSLASH = 92;

/** Escapes that JSON.stringify writes too, as a 1 at the code of the letter after the backslash. */
const KEPT_ESCAPES = new Uint8Array(256);
for (const letter of Buffer.from('"\\bfnrt')) KEPT_ESCAPES[letter] = 1;

/** Of so many bytes without escapes it is worth knowing how many they are, to copy them in one call. */
const longRunBytes = 64;

const bytesAtFirst = 512;
/** Memory that is kept from one text to the next: more than an item of DynamoDB's takes. */
const bytesKeptMax = 512 * 1024;

export class TextBuffer {
  /** The text is the first `length` bytes. */
  bytes: Buffer = Buffer.alloc(0);
  length = 0;
  /** Of the body that strings are copied from. */
  view = noView;

  clear(): void {
    this.length = 0;
    if (this.bytes.length > bytesKeptMax) this.bytes = Buffer.alloc(0);
  }

  /** Adds one byte. */
  add(unit: number): void {
    if (this.length === this.bytes.length) this.grow(1);
    this.bytes[this.length++] = unit;
  }

  addText(text: string): void {
    const length = Buffer.byteLength(text);
    if (this.length + length > this.bytes.length) this.grow(length);
    this.bytes.write(text, this.length);
    this.length += length;
  }

  addBytes(body: Buffer, start: number, end: number): void {
    if (this.length + end - start > this.bytes.length) this.grow(end - start);
    const { bytes } = this;
    let to = this.length;
    if (end - start > shortCopyBytes) to += body.copy(bytes, to, start, end);
    else for (let at = start; at < end; at++) bytes[to++] = body[at] as number;
    this.length = to;
  }

  /**
   * Adds the string whose opening quote is at `at`, as JSON.stringify writes it. Answers the position after it; -1 where
   * there is no string, or one with escapes and `plain` allows none.
   */
  addString(body: Buffer, at: number, plain: boolean): number {
    if (body[at] !== QUOTE) return -1;
    const end = stringEnd(body, at + 1);
    if (end < 0) return -1;
    if (this.length + end - at >= this.bytes.length) this.grow(end - at + 1);
    const { bytes } = this;
    let to = this.length;
    bytes[to++] = QUOTE;
    let from = at + 1;
    while (from < end) {
      if (end - from > longRunBytes) {
        const runEnd = unescapedEnd(this.view, from, end);
        if (runEnd - from > shortCopyBytes) {
          to += body.copy(bytes, to, from, runEnd);
          from = runEnd;
        }
      }
      // The rest, or up to the next escape.
      for (let escaped = false; from < end && !escaped; from++) {
        const unit = body[from] as number;
        if (unit < SPACE) return -1;
        bytes[to++] = unit;
        if (unit !== BACKSLASH) continue;
        if (plain) return -1;
        const letter = body[++from] as number;
        if (KEPT_ESCAPES[letter] === 0) return this.addRewritten(body, at, end + 1);
        bytes[to++] = letter;
        escaped = true;
      }
    }
    bytes[to++] = QUOTE;
    this.length = to;
    return end + 1;
  }

  /** Adds a string with escapes that JSON.stringify writes otherwise. */
  private addRewritten(body: Buffer, start: number, end: number): number {
    try {
      this.addText(JSON.stringify(JSON.parse(body.toString('utf8', start, end))));
      return end;
    } catch {
      return -1;
    }
  }

  private grow(bytes: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.length + bytes, this.bytes.length * 2, bytesAtFirst));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
