/**
 * Messages over a socket: the length of the whole, the length of the JSON, the JSON, and bytes that nobody parses. Lengths
 * are of four bytes, little-endian.
 */
import type { Socket } from 'node:net';
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

export interface Receiver<In> {
  readonly onMessage: (message: In, bytes: Buffer) => void;
  /** The other side is gone, or said what nobody understands. Told once, after everything that it said. */
  readonly onEnd: () => void;
}

/** Cuts what arrives into messages. Throws where that is none. */
export function messageReader<In>(onMessage: Receiver<In>['onMessage']): (chunk: Buffer) => void {
  /** What has arrived of the next message. */
  let pieces: Buffer[] = [];
  let arrived = 0;
  let wanted = LENGTH_BYTES;

  const deliver = (body: Buffer): void => {
    const jsonBytes = body.readUInt32LE(0);
    const jsonEnd = LENGTH_BYTES + jsonBytes;
    if (jsonEnd > body.length) throw new Error('a message is shorter than it says');
    onMessage(JSON.parse(body.toString('utf8', LENGTH_BYTES, jsonEnd)) as In, body.subarray(jsonEnd));
  };

  return (chunk) => {
    pieces.push(chunk);
    arrived += chunk.length;
    if (arrived < wanted) return;
    let buffer = pieces.length === 1 ? chunk : Buffer.concat(pieces, arrived);
    wanted = LENGTH_BYTES;
    while (buffer.length >= LENGTH_BYTES) {
      const length = buffer.readUInt32LE(0);
      if (length < LENGTH_BYTES || length > MESSAGE_BYTES_MAX) throw new Error('a message of an odd length');
      wanted = LENGTH_BYTES + length;
      if (buffer.length < wanted) break;
      deliver(buffer.subarray(LENGTH_BYTES, wanted));
      buffer = buffer.subarray(wanted);
      wanted = LENGTH_BYTES;
    }
    pieces = buffer.length === 0 ? [] : [buffer];
    arrived = buffer.length;
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
    try {
      read(chunk);
    } catch {
      end();
    }
  });
  socket.on('error', end);
  socket.on('close', end);
}
