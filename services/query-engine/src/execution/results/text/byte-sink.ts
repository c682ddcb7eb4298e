/** UTF-8 text that grows: where rows are written, byte by byte, before they are handed on. */

/** `bytes` up to `length` is what was written; it is another buffer whenever it had to grow. */
export interface ByteSink {
  bytes: Buffer<ArrayBuffer>;
  length: number;
}

/** With room for so many bytes at first. */
export const createByteSink = (room: number): ByteSink => ({
  bytes: Buffer.allocUnsafeSlow(room),
  length: 0,
});

/** Makes room for so many more bytes. */
export function makeRoom(sink: ByteSink, more: number): void {
  const wanted = sink.length + more;
  if (wanted <= sink.bytes.length) return;
  const grown = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * sink.bytes.length));
  sink.bytes.copy(grown, 0, 0, sink.length);
  sink.bytes = grown;
}

/** Below so many bytes a loop is faster than a call. */
const LOOP_BYTES_MAX = 24;

/** Adds bytes as they are. */
export function putBytes(sink: ByteSink, from: Buffer, start: number, end: number): void {
  const size = end - start;
  const at = sink.length;
  if (at + size > sink.bytes.length) makeRoom(sink, size);
  const { bytes } = sink;
  if (size > LOOP_BYTES_MAX) from.copy(bytes, at, start, end);
  else for (let i = start, to = at; i < end; i++, to++) bytes[to] = from[i] as number;
  sink.length = at + size;
}

/** Adds a text. */
export function putText(sink: ByteSink, text: string): void {
  // A UTF-16 unit is three bytes of UTF-8 at most.
  makeRoom(sink, 3 * text.length);
  sink.length += sink.bytes.write(text, sink.length);
}

/** What was written. The sink is empty then, and has memory of its own again. */
export function takeBytes(sink: ByteSink): Uint8Array<ArrayBuffer> {
  const taken = sink.bytes.subarray(0, sink.length);
  sink.bytes = Buffer.allocUnsafeSlow(sink.bytes.length);
  sink.length = 0;
  return taken;
}
