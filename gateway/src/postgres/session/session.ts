/**
 * One signed-in client: its messages, one after the other, and what is answered to each. The simple and the extended
 * protocol meet in portals: whatever gives rows is one.
 */
import { PgError } from '../errors/pg-error.ts';
import * as backend from '../wire/backend.ts';
import type { FrontendMessage } from '../wire/frontend.ts';
import { createAttempt } from './attempt.ts';
import { createContext, type SessionOptions, type SessionParts } from './context.ts';
import { createExtendedProtocol } from './extended-protocol.ts';
import { ConnectionGoneError } from './output.ts';
import { createRows } from './rows.ts';
import { createRunOther } from './run-other.ts';
import { createSimpleQuery } from './simple-protocol.ts';
import { createServed } from './served.ts';
import { createWhoAnswers } from './whose.ts';

export type { SessionParts };

export interface Session {
  /** What a client is told once it has signed in. Rejects with PgError FATAL where a setting of its start is none. */
  begin(): Promise<void>;
  /** Handles one message; the next must not come before. False: the client is leaving. Rejects where the session is over. */
  handle(message: FrontendMessage): Promise<boolean>;
  /** Whether more belongs to what was handled last, and is answered with it: messages up to a Sync. */
  isWithinBatch(): boolean;
  /** Ends the statement under way, if there is one. */
  cancel(reason: PgError): void;
  close(): Promise<void>;
}

/** Kinds of messages that others follow, up to a Sync. */
const EXTENDED: ReadonlySet<FrontendMessage['kind']> = new Set([
  ...(['parse', 'bind', 'describe', 'execute', 'close', 'flush'] as const),
]);

export function createSession(parts: SessionParts, options: SessionOptions): Session {
  const context = createContext(parts, options);
  const { output, backend: server, portals, prepared, closing } = context;
  const attempt = createAttempt(context);
  const rows = createRows(context);
  const shared = {
    ...{ rows, attempt },
    runOther: createRunOther(context, rows),
    whoAnswers: createWhoAnswers(context, rows),
    served: createServed(context),
  };
  const simpleQuery = createSimpleQuery(context, shared);
  const extended = createExtendedProtocol(context, shared);

  const ready = async (): Promise<void> => {
    await server.sync();
    if (server.status === 'I') {
      await portals.closeAll();
      shared.served.ended();
    }
    output.write(backend.readyForQuery(server.status));
    output.flushSoon();
  };
  const refuse = async (error: PgError): Promise<void> => {
    await attempt(() => Promise.reject(error), null);
    await ready();
  };

  let isWithinBatch = false;

  const answer = async (message: FrontendMessage): Promise<void> => {
    switch (message.kind) {
      case 'query':
        await simpleQuery(message.sql);
        return ready();
      case 'parse':
        return extended.parse(message);
      case 'bind':
        return extended.bind(message);
      case 'describe':
        return extended.describe(message);
      case 'execute':
        return extended.execute(message);
      case 'close':
        return extended.close(message);
      case 'flush':
        return output.flush();
      case 'sync':
        extended.sync();
        return ready();
      case 'functionCall':
        return refuse(
          new PgError({ code: '0A000', message: 'function calls by the protocol are not supported' }),
        );
      case 'refused': {
        const { code, message: why, isExtended } = message;
        const error = new PgError({ code, message: why });
        return isExtended ? extended.refuse(error) : refuse(error);
      }
      // Of a COPY that is over, as the protocol allows; and what ends a session, below.
      case 'copyData':
      case 'copyDone':
      case 'copyFail':
      case 'terminate':
        return;
      case 'password':
        throw new PgError({ code: '08P01', message: 'nobody asked for a password', severity: 'FATAL' });
    }
  };

  return {
    begin: () => server.begin(),
    async handle(message) {
      await answer(message);
      isWithinBatch = EXTENDED.has(message.kind);
      // Also of messages that nobody waits for an answer to: who reads nothing is asked nothing more.
      await output.drained();
      return message.kind !== 'terminate';
    },
    isWithinBatch: () => isWithinBatch,
    cancel: (reason) => context.cancel(reason),
    async close() {
      closing.abort(new ConnectionGoneError('the session is over'));
      server.close();
      await portals.closeAll(true);
      prepared.clear();
    },
  };
}
