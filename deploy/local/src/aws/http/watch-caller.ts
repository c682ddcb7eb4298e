import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { WholeRequest } from './request.ts';

type Caller = Pick<WholeRequest, 'hungUp' | 'unanswered'>;

/**
 * Tells of each request whether its caller goes, and whether it goes without the whole answer. A system that closes a
 * connection whose owner had not read all of it resets it; one where all was read, it ends (RFC 9293, 3.10.4; RFC 2525,
 * 2.17). So of an answer that was sent whole it is known, too.
 */
export function createCallerWatch(): (incoming: IncomingMessage, outgoing: ServerResponse) => Caller {
  /** Of each connection the request that came last: those before it were answered. */
  const last = new WeakMap<Socket, AbortController>();
  return ({ socket }, outgoing) => {
    const hangUp = new AbortController();
    const unanswered = new AbortController();
    if (!last.has(socket)) socket.once('error', () => last.get(socket)?.abort());
    last.set(socket, unanswered);
    outgoing.once('close', () => {
      hangUp.abort();
      if (!outgoing.writableFinished) unanswered.abort();
    });
    return { hungUp: hangUp.signal, unanswered: unanswered.signal };
  };
}
