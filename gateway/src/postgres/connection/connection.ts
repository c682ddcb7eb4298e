/** One connection, from its first byte to its last: begun, signed in, then a session. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { GatewayClients } from '../../clients/gateway-clients.ts';
import type { RevocationList } from '../../revocations/revocation-list.ts';
import {
  authenticate,
  type Authenticated,
  type AuthenticationParts,
} from '../authentication/authenticate.ts';
import { toPgError } from '../errors/from-penstock.ts';
import { PgError } from '../errors/pg-error.ts';
import { HALF_CLOSED_MS, LINGER_MS, SIGN_IN_TIMEOUT_MS } from '../limits.ts';
import { createIdentity } from '../session/identity.ts';
import { ConnectionGoneError, createOutput, type Output } from '../session/output.ts';
import { createSession, type SessionParts } from '../session/session.ts';
import type { RoomOf } from '../session/tenant-rooms.ts';
import * as backend from '../wire/backend.ts';
import { begin, fatal, negotiate, type BeginParts, type Begun } from './begin.ts';
import { isLoopback } from './address-list.ts';
import { openSession, type OpenSession, type RunningSession } from './open-session.ts';
import { tooMany, type Places } from './places.ts';
import { clientAddress, type IsProxy } from './proxy-protocol.ts';

export interface ConnectionParts extends SessionParts, AuthenticationParts, BeginParts {
  readonly places: Places;
  readonly revocations: RevocationList;
  readonly tokens: GatewayClients['tokens'];
  /** Something in front does TLS: connections without are served from anywhere. */
  readonly isTlsInFront: boolean;
  /** Balancers that say where their clients come from. */
  readonly isProxy: IsProxy;
  /** Of long messages, while they come. */
  readonly messageRoomOf: RoomOf;
  readonly logger: Logger;
  readonly onRefused: (sqlState: string) => void;
}

export interface OpenSessions {
  add(session: OpenSession): void;
  delete(session: OpenSession): void;
}

const TLS_REQUIRED = fatal(
  '28000',
  'this endpoint takes connections without TLS from its own machine only',
  'connect with sslmode=require',
);

/** A connection that has said which protocol it speaks. */
interface Spoken extends Begun {
  readonly output: Output;
  readonly minor: number;
  readonly user: string;
}

/** @throws PgError FATAL */
function speak(begun: Begun, mayBeClear: boolean): Spoken {
  const { socket, startup } = begun;
  const output = createOutput(socket);
  if (!(socket instanceof TLSSocket) && !mayBeClear) throw TLS_REQUIRED;
  const minor = negotiate(startup, output);
  const replication = startup.parameters.get('replication') ?? 'false';
  if (replication !== 'false') throw fatal('0A000', 'replication is not supported');
  return { ...begun, output, minor, user: startup.parameters.get('user') ?? '' };
}

function signIn(
  { socket, messages, output, user }: Spoken,
  parts: ConnectionParts,
  address: string,
  signal: AbortSignal,
): Promise<Authenticated> {
  messages.phase = 'signIn';
  return authenticate(parts, {
    ...{ user, address, signal, isEncrypted: socket instanceof TLSSocket },
    write: (bytes) => {
      output.write(bytes);
      output.flush();
    },
    answer: async () => {
      const message = await messages.next();
      if (message?.kind === 'password') return message.bytes;
      throw new ConnectionGoneError('it left while it signed in');
    },
  });
}

/** Serves a connection to its end. Never rejects. */
export async function serve(raw: Socket, parts: ConnectionParts, sessions: OpenSessions): Promise<void> {
  const { logger } = parts;
  const peer = raw.remoteAddress ?? '';
  const place = parts.places.enter(peer, () => raw.destroy());
  raw.on('error', () => raw.destroy());
  raw.setNoDelay(true);
  let socket: Socket = raw;
  const gone = new AbortController();
  const leave = (why: string): void => gone.abort(new ConnectionGoneError(why));
  raw.once('close', () => leave('it was closed'));
  const late = setTimeout(() => raw.destroy(), SIGN_IN_TIMEOUT_MS);
  let cleanUp: () => Promise<void> = async () => undefined;
  try {
    if (place === null) throw tooMany('connections');
    const address = await clientAddress(raw, parts.isProxy);
    if (address === null) return;
    place.isOf(address);
    const begun = await begin(raw, parts);
    if (begun === null) return;
    ({ socket } = begun);
    const isLocal = isLoopback(peer) && isLoopback(address);
    const spoken = speak(begun, isLocal || parts.isTlsInFront);
    const { messages, output, startup, minor, user } = spoken;
    const { principal, pair } = await signIn(spoken, parts, address, gone.signal);
    const { tenantId, principalId } = principal;
    place.signedIn(tenantId);
    const identity = createIdentity(principal, pair, parts);
    await identity.check();
    clearTimeout(late);
    await parts.limiter.pace(principal, gone.signal);
    messages.phase = 'session';
    messages.room = parts.messageRoomOf(tenantId);

    const cancelKey = parts.cancelKeys.take(minor >= 2, () =>
      session.cancel(new PgError({ code: '57014', message: 'canceling statement due to user request' })),
    );
    const { backendPid } = cancelKey;
    let open: RunningSession | null = null;
    const session = createSession(parts, {
      ...{ identity, user, backendPid, output, startup: startup.parameters },
      // As in PostgreSQL: without a name it is the user's.
      database: startup.parameters.get('database') || user,
      onGone: (reason) => (open === null ? leave(reason.message) : open.end(reason)),
      logger: logger.child({ tenantId, principalId, backendPid }),
    });
    open = openSession({ identity, session, messages, socket, output });
    // A client that has closed its side still reads what is quickly said; what runs longer runs for nobody.
    socket.once('end', () => setTimeout(() => leave('its client has closed it'), HALF_CLOSED_MS).unref());
    cleanUp = async () => {
      sessions.delete(open);
      cancelKey.release();
      messages.close();
      await session.close();
    };
    gone.signal.addEventListener('abort', () => void session.close(), { once: true });
    await session.begin();
    sessions.add(open);
    output.write(backend.backendKeyData(backendPid, cancelKey.key));
    output.write(backend.readyForQuery('I'));
    output.flush();
    await open.run();
  } catch (error) {
    tellWhy(error);
  } finally {
    clearTimeout(late);
    await cleanUp().catch((error: unknown) => logger.error({ err: error }, 'a session could not be closed'));
    place?.leave();
    linger(socket);
  }

  /** Says why the connection ends, where somebody is there to hear it. */
  function tellWhy(error: unknown): void {
    if (error instanceof ConnectionGoneError || gone.signal.aborted) return;
    const { fields } = toPgError(error);
    parts.onRefused(fields.code);
    if (fields.code === 'XX000') logger.error({ err: error }, 'a connection failed unexpectedly');
    else logger.info({ sqlState: fields.code }, 'connection ended');
    socket.write(backend.errorResponse({ ...fields, severity: 'FATAL' }));
  }
}

/**
 * Ends a connection so that its last words arrive: bytes that nobody reads would have the system cut it at once, and the
 * client might not see them.
 */
function linger(socket: Socket): void {
  if (socket.destroyed) return;
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  cut.unref();
  socket.once('close', () => clearTimeout(cut));
  socket.once('end', () => socket.destroySoon());
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
  socket.resume();
  socket.end();
  if (socket.readableEnded) socket.destroySoon();
}
