/**
 * Messages over a socket: the length of the whole, the length of the JSON, the JSON, and bytes that nobody parses. Lengths
 * are of four bytes, little-endian.
 */
import type { Socket } from 'node:net';
import { countPassed } from '@penstock/common/process/collect-passed.ts';
import { MESSAGE_BYTES_MAX } from './limits.ts';

const LENGTH_BYTES = 4;
const NO_BYTES = Buffer.alloc(0);
/** Fewer bytes are copied behind the JSON: writing once costs less than writing two buffers together. */
const COPIED_BYTES_MAX = 16_384;

export interface Sender<Out> {
  /**
   * What is small is with the kernel when this returns, as long as the other side reads: it arrives even if this process
   * is killed next. `onSent`: all of it is with the kernel.
   */
  readonly send: (message: Out, bytes?: Uint8Array, onSent?: () => void) => void;
}

/** Bytes in the pieces that they came in, which nobody has to copy. */
export type Pieces = readonly Buffer[];

export const lengthOf = (pieces: Pieces): number => {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
};

/** The bytes in one piece. */
export const joined = (pieces: Pieces): Buffer => (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));

export interface Receiver<In> {
  readonly onMessage: (message: In, bytes: Pieces) => void;
  /** The other side is gone, or said what nobody understands. Told once, after everything that it said. */
  readonly onEnd: () => void;
}

/** Cuts what arrives into messages. Throws where that is none. */
export function messageReader<In>(onMessage: Receiver<In>['onMessage']): (chunk: Buffer) => void {
  /** What has arrived and was not taken yet. */
  const pieces: Buffer[] = [];
  let arrived = 0;
  /** Of the next message without its own length; null where that has not come. */
  let length: number | null = null;

  const take = (bytes: number): Buffer[] => {
    const taken: Buffer[] = [];
    arrived -= bytes;
    for (let left = bytes; left > 0;) {
      const piece = pieces[0]!;
      if (piece.length <= left) pieces.shift();
      else pieces[0] = piece.subarray(left);
      taken.push(piece.length <= left ? piece : piece.subarray(0, left));
      left -= Math.min(left, piece.length);
    }
    return taken;
  };
  const deliver = (whole: number): void => {
    const jsonBytes = joined(take(LENGTH_BYTES)).readUInt32LE(0);
    const bytes = whole - LENGTH_BYTES - jsonBytes;
    if (bytes < 0) throw new Error('a message is shorter than it says');
    const json = joined(take(jsonBytes)).toString('utf8');
    onMessage(JSON.parse(json) as In, take(bytes));
  };

  return (chunk) => {
    pieces.push(chunk);
    arrived += chunk.length;
    for (;;) {
      if (length === null) {
        if (arrived < LENGTH_BYTES) return;
        length = joined(take(LENGTH_BYTES)).readUInt32LE(0);
        if (length < LENGTH_BYTES || length > MESSAGE_BYTES_MAX)
          throw new Error('a message of an odd length');
      }
      if (arrived < length) return;
      const whole = length;
      length = null;
      deliver(whole);
    }
  };
}

/** The lengths, the JSON, and `bytes`, of `bytesLength` that there are. */
function packed(message: unknown, bytes: Uint8Array, bytesLength: number): Buffer {
  const json = JSON.stringify(message);
  const jsonBytes = Buffer.byteLength(json);
  const head = Buffer.allocUnsafe(2 * LENGTH_BYTES + jsonBytes + bytes.length);
  head.writeUInt32LE(LENGTH_BYTES + jsonBytes + bytesLength, 0);
  head.writeUInt32LE(jsonBytes, LENGTH_BYTES);
  head.write(json, 2 * LENGTH_BYTES);
  head.set(bytes, 2 * LENGTH_BYTES + jsonBytes);
  return head;
}

/** Nothing comes from there. A send fails without a word where the other side is gone: whoever listens to it learns that. */
export function openSender<Out>(socket: Socket): Sender<Out> {
  socket.on('error', () => socket.destroy());
  return {
    send(message, bytes = NO_BYTES, onSent) {
      if (socket.destroyed) return;
      if (bytes.length <= COPIED_BYTES_MAX) {
        socket.write(packed(message, bytes, bytes.length), onSent);
        return;
      }
      socket.cork();
      socket.write(packed(message, NO_BYTES, bytes.length));
      socket.write(bytes, onSent);
      socket.uncork();
    },
  };
}

/** Nothing is sent there, since a send that fails would end it before all was read. */
export function openReceiver<In>(socket: Socket, { onMessage, onEnd }: Receiver<In>): void {
  const read = messageReader<In>(onMessage);
  let hasEnded = false;
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    socket.destroy();
    onEnd();
  };
  socket.on('data', (chunk: Buffer) => {
    countPassed(chunk.length);
    try {
      read(chunk);
    } catch {
      end();
    }
  });
  socket.on('error', end);
  socket.on('close', end);
}
