/** The messages of a socket, one at a time; reading waits while too much waits for its turn. */
import type { Socket } from 'node:net';
import { WAITING_BYTES_MAX } from '../limits.ts';
import { createMessageStream, type MessageStream, type Framed, type Phase } from '../wire/message-stream.ts';

export interface Messages {
  /** What the next bytes are taken for. */
  phase: Phase;
  /** The next message; null once the client has gone. Rejects with PgError FATAL where it is none. */
  next(): Promise<Framed['message'] | null>;
  /** Stops listening: the bytes that came and are no message yet. */
  release(): Buffer;
}

export function readMessages(socket: Socket, stream: MessageStream = createMessageStream()): Messages {
  let waiting = 0;
  let hasEnded = false;
  let wake: (() => void) | null = null;

  const onData = (bytes: Buffer): void => {
    waiting += bytes.length;
    stream.add(bytes);
    if (waiting > WAITING_BYTES_MAX) socket.pause();
    wake?.();
  };
  const onEnd = (): void => {
    hasEnded = true;
    wake?.();
  };
  socket.on('data', onData);
  socket.on('end', onEnd);
  socket.on('close', onEnd);
  socket.resume();
  return {
    get phase() {
      return stream.phase;
    },
    set phase(to) {
      stream.phase = to;
    },
    async next() {
      for (;;) {
        const framed = stream.next();
        if (framed !== null) {
          waiting = Math.max(0, waiting - framed.bytes);
          if (socket.isPaused() && waiting <= WAITING_BYTES_MAX) socket.resume();
          return framed.message;
        }
        if (hasEnded) return null;
        // What is there is the beginning of one message, or is skipped: more must come.
        waiting = Math.min(waiting, WAITING_BYTES_MAX);
        if (socket.isPaused()) socket.resume();
        await new Promise<void>((resolve) => (wake = resolve));
        wake = null;
      }
    },
    release() {
      socket.off('data', onData);
      socket.off('end', onEnd);
      socket.off('close', onEnd);
      return stream.takeRest();
    },
  };
}
