/** Bytes that came and were not taken yet, side by side, so that a thousand small pieces take no more room than a large one. */

export interface ByteQueue {
  readonly length: number;
  add(bytes: Buffer): void;
  /** So many are to come in all: room for no more than these is made. */
  expect(length: number): void;
  /** Of the byte at an offset. */
  uint8At(offset: number): number;
  /** Of the four bytes at an offset. */
  uint32At(offset: number): number;
  /** A copy of the bytes between two offsets. */
  copy(from: number, to: number): Buffer;
  /** Forgets so many from the beginning. */
  drop(length: number): void;
}

const NOTHING = Buffer.alloc(0);

export function createByteQueue(): ByteQueue {
  let buffer: Buffer = NOTHING;
  let start = 0;
  let end = 0;
  let expected = 0;

  const makeRoom = (more: number): void => {
    const length = end - start;
    if (end + more <= buffer.length) return;
    // Doubled, so that each byte is moved a few times at most.
    const wanted = Math.max(length + more, Math.min(2 * (length + more), expected));
    const size = Math.max(wanted, length + more <= buffer.length / 2 ? buffer.length : 0);
    const roomier = size === buffer.length ? buffer : Buffer.allocUnsafeSlow(size);
    buffer.copy(roomier, 0, start, end);
    [buffer, start, end] = [roomier, 0, length];
  };
  return {
    get length() {
      return end - start;
    },
    add(bytes) {
      if (bytes.length === 0) return;
      // What comes in one piece and is taken at once is not copied.
      if (start === end) {
        [buffer, start, end] = [bytes, 0, bytes.length];
        return;
      }
      makeRoom(bytes.length);
      bytes.copy(buffer, end);
      end += bytes.length;
    },
    expect(length) {
      expected = length;
    },
    uint8At: (offset) => buffer.readUInt8(start + offset),
    uint32At: (offset) => buffer.readUInt32BE(start + offset),
    copy: (from, to) => (from === to ? NOTHING : Buffer.from(buffer.subarray(start + from, start + to))),
    drop(length) {
      start += length;
      // A session that says nothing holds nothing.
      if (start >= end) [buffer, start, end, expected] = [NOTHING, 0, 0, 0];
    },
  };
}
