/** A signed-in client's messages, one after the other, until it leaves or its session is ended. */
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Socket } from 'node:net';
import type { PgError } from '../errors/pg-error.ts';
import { SLICE_MS } from '../limits.ts';
import type { Identity } from '../session/identity.ts';
import type { Output } from '../session/output.ts';
import type { Session } from '../session/session.ts';
import { fatal, isStartupKind } from './begin.ts';
import type { Messages } from './messages.ts';

/** An open session, for whoever looks through all of them. */
export interface OpenSession {
  readonly identity: Identity;
  /** Ends it, and what runs in it. */
  end(reason: PgError): void;
  /** Ends it once nothing runs in it. */
  drain(reason: PgError): void;
}

interface Opened {
  readonly identity: Identity;
  readonly session: Session;
  readonly messages: Messages;
  readonly socket: Socket;
  readonly output: Output;
}

export interface RunningSession extends OpenSession {
  /** Resolves when the client leaves. Rejects with PgError FATAL where the session is ended. */
  run(): Promise<void>;
}

/** How long a session that is to end may take to say so. */
const ENDING_MS = 1_000;

export function openSession({ identity, session, messages, socket, output }: Opened): RunningSession {
  /** Why it is to end: at once, or as soon as what was sent together is answered. */
  let leaving: { readonly reason: PgError; readonly isAtOnce: boolean } | null = null;
  /** While the next message is waited for: ends that. */
  let stopWaiting: ((reason: PgError) => void) | null = null;

  const checkLeaving = (): void => {
    if (leaving !== null && (leaving.isAtOnce || !session.isWithinBatch())) throw leaving.reason;
  };

  /** The next message; rejects where the session is ended meanwhile. */
  const nextMessage = (): ReturnType<Messages['next']> =>
    new Promise((resolve, reject) => {
      stopWaiting = reject;
      messages
        .next()
        .then(resolve, reject)
        .finally(() => (stopWaiting = null));
    });

  return {
    identity,
    end(reason) {
      // Whoever does not read, and what does not stop, is not waited for.
      setTimeout(() => socket.destroy(), ENDING_MS).unref();
      leaving = { reason, isAtOnce: true };
      if (stopWaiting === null) session.cancel(reason);
      else stopWaiting(reason);
    },
    drain(reason) {
      leaving = { reason, isAtOnce: false };
      if (!session.isWithinBatch()) stopWaiting?.(reason);
    },
    async run() {
      let turnOverAt = performance.now() + SLICE_MS;
      try {
        for (;;) {
          const message = messages.present() ?? (await nextMessage());
          if (message === null) return;
          if (isStartupKind(message)) throw fatal('08P01', 'a second startup message');
          if (!(await session.handle(message))) return;
          checkLeaving();
          if (performance.now() < turnOverAt) continue;
          // A client with much to say waits for others here.
          await othersTurn();
          turnOverAt = performance.now() + SLICE_MS;
        }
      } finally {
        // What is answered already goes out before why it ends.
        output.flush();
      }
    },
  };
}
