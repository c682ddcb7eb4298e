/** The messages of a socket, one at a time; reading waits while too much waits for its turn. */
import type { Socket } from 'node:net';
import { WAITING_BYTES_MAX } from '../limits.ts';
import { createMessageStream, type Framed, type Phase, type Room } from '../wire/message-stream.ts';

export interface Messages {
  /** What the next bytes are taken for. */
  phase: Phase;
  /** Where long messages find room from now on. */
  set room(room: Room);
  /** The next message where it is there already; undefined where it has to be waited for. */
  present(): Framed['message'] | undefined;
  /** The next message; null once the client has gone. Rejects with PgError FATAL where it is none. */
  next(): Promise<Framed['message'] | null>;
  /** Stops listening: the bytes that came and are no message yet. */
  release(): Buffer;
  /** Forgets what came. */
  close(): void;
}

export function readMessages(socket: Socket): Messages {
  const stream = createMessageStream();
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
  const present = (): Framed['message'] | undefined => {
    const framed = stream.next();
    if (framed === null) return undefined;
    waiting = Math.max(0, waiting - framed.bytes);
    if (waiting <= WAITING_BYTES_MAX && socket.isPaused()) socket.resume();
    return framed.message;
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
    set room(room: Room) {
      stream.room = room;
    },
    present,
    async next() {
      for (;;) {
        const message = present();
        if (message !== undefined) return message;
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
    close: () => stream.close(),
  };
}
