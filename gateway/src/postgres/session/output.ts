/** What goes out to a client: gathered into writes, and waiting where the client takes nothing. */
import type { Socket } from 'node:net';
import { UNREAD_TIMEOUT_MS, UNSENT_BYTES_MAX, WRITE_BYTES } from '../limits.ts';

export interface Output {
  write(bytes: Buffer): void;
  flush(): void;
  /** Flushes before anything else is waited for: what is said until then goes out with it. */
  flushSoon(): void;
  /** Whether more waits than may: `drained` has whoever writes wait. */
  readonly isFull: boolean;
  /** Resolves when no more waits than may; rejects once the connection is gone, or nothing was taken for too long. */
  drained(): Promise<void>;
}

export class ConnectionGoneError extends Error {
  constructor(why: string) {
    super(`the connection is gone: ${why}`);
  }
}

/** Bytes that the system has not taken yet. A write of many bytes counts as one to the stream, until all are taken. */
function unsentOf(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { readonly _handle?: { readonly writeQueueSize?: number } };
  return socket.writableLength + (handle?.writeQueueSize ?? 0);
}

export function createOutput(socket: Socket): Output {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let isToFlush = false;

  const flush = (): void => {
    isToFlush = false;
    if (waiting.length === 0) return;
    const gathered = waiting.length === 1 ? waiting[0] : Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
    if (gathered !== undefined && !socket.destroyed) socket.write(gathered);
  };
  const drained = async (): Promise<void> => {
    if (socket.destroyed) throw new ConnectionGoneError('it was closed');
    if (bytes >= WRITE_BYTES) flush();
    if (socket.writableLength < UNSENT_BYTES_MAX) return;
    await new Promise<void>((resolve, reject) => {
      const done = (error?: Error): void => {
        clearInterval(timer);
        socket.off('drain', onDrain);
        socket.off('close', onClose);
        if (error === undefined) resolve();
        else reject(error);
      };
      const onDrain = (): void => done();
      const onClose = (): void => done(new ConnectionGoneError('it was closed'));
      let unsent = unsentOf(socket);
      const timer = setInterval(() => {
        const before = unsent;
        unsent = unsentOf(socket);
        if (unsent < before) return;
        socket.destroy();
        done(new ConnectionGoneError(`nothing was read for ${UNREAD_TIMEOUT_MS} ms`));
      }, UNREAD_TIMEOUT_MS);
      socket.once('drain', onDrain);
      socket.once('close', onClose);
    });
  };
  return {
    write(message) {
      waiting.push(message);
      bytes += message.length;
      if (bytes >= WRITE_BYTES) flush();
    },
    flush,
    get isFull() {
      return socket.writableLength + bytes >= UNSENT_BYTES_MAX;
    },
    flushSoon() {
      if (isToFlush) return;
      isToFlush = true;
      setImmediate(() => {
        if (isToFlush) flush();
      });
    },
    drained,
  };
}
