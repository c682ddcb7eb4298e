/** One connection, from its first byte to its last: encrypted where that is asked for, signed in, then a session. */
import type { Socket } from 'node:net';
import { TLSSocket, type SecureContext } from 'node:tls';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { GatewayClients } from '../../clients/gateway-clients.ts';
import type { RevocationList } from '../../revocations/revocation-list.ts';
import { authenticate, type AuthenticationParts } from '../authentication/authenticate.ts';
import type { CancelKeys } from '../cancel/cancel-keys.ts';
import { PgError } from '../errors/pg-error.ts';
import { toPgError } from '../errors/from-penstock.ts';
import { SIGN_IN_TIMEOUT_MS } from '../limits.ts';
import { createIdentity, type Identity } from '../session/identity.ts';
import { ConnectionGoneError, createOutput, type Output } from '../session/output.ts';
import { createSession, type SessionParts } from '../session/session.ts';
import * as backend from '../wire/backend.ts';
import type { FrontendMessage, StartupMessage } from '../wire/frontend.ts';
import { encrypt, TLS_HANDSHAKE } from './encryption.ts';
import { readMessages, type Messages } from './messages.ts';
import { isLoopback } from './loopback.ts';
import { tooMany, type Places } from './places.ts';

export interface ConnectionParts extends SessionParts, AuthenticationParts {
  readonly cancelKeys: CancelKeys;
  readonly places: Places;
  readonly revocations: RevocationList;
  readonly tokens: GatewayClients['tokens'];
  /** The present one; null: no TLS. */
  readonly secureContext: () => SecureContext | null;
  /** Something in front does TLS: connections without are served from anywhere. */
  readonly isTlsInFront: boolean;
  readonly logger: Logger;
  readonly onRefused: (sqlState: string) => void;
}

/** An open session, for whoever looks through all of them. */
export interface OpenSession {
  readonly identity: Identity;
  /** Ends it, and what runs in it. */
  end(reason: PgError): void;
  /** Ends it once nothing runs in it. */
  drain(reason: PgError): void;
}

export interface OpenSessions {
  add(session: OpenSession): void;
  delete(session: OpenSession): void;
}

/** How long a session that is to end may take to say so. */
const ENDING_MS = 1_000;

/** The newest version of the protocol that we speak. */
const MINOR_MAX = 2;

type Startup = Extract<StartupMessage, { kind: 'startup' }>;

const fatal = (code: string, message: string, hint?: string): PgError =>
  new PgError({ code, message, severity: 'FATAL', ...(hint === undefined ? {} : { hint }) });

const TLS_REQUIRED = fatal(
  '28000',
  'this endpoint takes connections without TLS from its own machine only',
  'connect with sslmode=require',
);

function isStartupKind(message: StartupMessage | FrontendMessage): message is StartupMessage {
  return ['startup', 'sslRequest', 'gssEncRequest', 'cancelRequest'].includes(message.kind);
}

/** What a connection is once it has said which protocol it speaks. */
interface Begun {
  readonly socket: Socket;
  readonly messages: Messages;
  readonly startup: Startup;
}

/** Waits for bytes and looks at the first without taking it; null once the client has gone. */
async function firstByte(socket: Socket): Promise<number | null> {
  return new Promise((resolve) => {
    const done = (byte: number | null): void => {
      socket.off('readable', onReadable);
      socket.off('close', onClose);
      socket.off('end', onClose);
      resolve(byte);
    };
    const onClose = (): void => done(null);
    const onReadable = (): void => {
      const bytes = socket.read() as Buffer | null;
      if (bytes === null || bytes.length === 0) return;
      socket.unshift(bytes);
      done(bytes[0] ?? null);
    };
    socket.on('readable', onReadable);
    socket.once('close', onClose);
    socket.once('end', onClose);
  });
}

/** Up to the startup message; null where the connection was for something else, or ended. */
async function begin(socket: Socket, parts: ConnectionParts): Promise<Begun | null> {
  const secureContext = parts.secureContext();
  const first = await firstByte(socket);
  if (first === null) return null;
  let current: Socket = socket;
  if (first === TLS_HANDSHAKE) {
    if (secureContext === null) return null;
    current = await encrypt(socket, secureContext, { rest: Buffer.alloc(0), direct: true });
  }
  let messages = readMessages(current);
  for (let requests = 0; ; requests++) {
    const message = await messages.next();
    if (message === null || !isStartupKind(message)) return null;
    if (message.kind === 'startup') return { socket: current, messages, startup: message };
    if (message.kind === 'cancelRequest') {
      parts.cancelKeys.present(message.backendPid, message.key);
      return null;
    }
    // One request of each kind may precede the startup.
    if (requests > 1) throw fatal('08P01', 'too many requests before the startup message');
    const isEncrypted = current instanceof TLSSocket;
    if (message.kind === 'sslRequest' && secureContext !== null && !isEncrypted) {
      const rest = messages.release();
      // Bytes sent in the clear must not count as sent under TLS.
      if (rest.length > 0) throw fatal('08P01', 'received unencrypted data after SSL request');
      current.write('S');
      current = await encrypt(current, secureContext, { rest, direct: false });
      messages = readMessages(current);
    } else {
      current.write('N');
    }
  }
}

function negotiate({ major, minor, parameters }: Startup, output: Output): number {
  if (major !== 3)
    throw fatal(
      '0A000',
      `unsupported frontend protocol ${major}.${minor}: server supports 3.0 to 3.${MINOR_MAX}`,
    );
  const unknown = [...parameters.keys()].filter((name) => name.startsWith('_pq_.'));
  const spoken = minor === 0 ? 0 : MINOR_MAX;
  if (minor > MINOR_MAX || minor === 1 || unknown.length > 0)
    output.write(backend.negotiateProtocol(spoken, unknown));
  return spoken;
}

/** Serves a connection to its end. Never rejects. */
export async function serve(raw: Socket, parts: ConnectionParts, sessions: OpenSessions): Promise<void> {
  const { logger } = parts;
  const place = parts.places.enter();
  raw.on('error', () => raw.destroy());
  raw.setNoDelay(true);
  let socket: Socket = raw;
  const gone = new AbortController();
  const onClose = (): void => gone.abort(new ConnectionGoneError('it was closed'));
  raw.once('close', onClose);
  const late = setTimeout(() => raw.destroy(), SIGN_IN_TIMEOUT_MS);
  let isBusy = false;
  let draining: PgError | null = null;
  const leaving = (): PgError | null => draining;
  let cleanUp: () => Promise<void> = async () => undefined;
  try {
    if (place === null) throw tooMany('connections');
    const begun = await begin(raw, parts);
    if (begun === null) return;
    ({ socket } = begun);
    const { messages, startup } = begun;
    const output = createOutput(socket);
    const isEncrypted = socket instanceof TLSSocket;
    const address = raw.remoteAddress ?? '';
    if (!isEncrypted && !parts.isTlsInFront && !isLoopback(address)) throw TLS_REQUIRED;
    const minor = negotiate(startup, output);
    if (startup.parameters.has('replication') && startup.parameters.get('replication') !== 'false')
      throw fatal('0A000', 'replication is not supported');

    messages.phase = 'signIn';
    const user = startup.parameters.get('user') ?? '';
    const { principal, pair } = await authenticate(parts, {
      ...{ user, address, isEncrypted: isEncrypted || parts.isTlsInFront, signal: gone.signal },
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
    place.signedIn(principal.tenantId);
    const identity = createIdentity(principal, pair, parts);
    await identity.check();
    clearTimeout(late);
    messages.phase = 'session';

    const cancelKey = parts.cancelKeys.take(minor >= 2, () =>
      session.cancel(new PgError({ code: '57014', message: 'canceling statement due to user request' })),
    );
    const { backendPid } = cancelKey;
    const session = createSession(parts, {
      ...{ identity, user, backendPid, output, startup: startup.parameters },
      database: startup.parameters.get('database') ?? user,
      logger: logger.child({ tenantId: principal.tenantId, principalId: principal.principalId, backendPid }),
    });
    const open: OpenSession = {
      identity,
      end(reason) {
        // Whoever does not read, and what does not stop, is not waited for.
        setTimeout(() => socket.destroy(), ENDING_MS).unref();
        draining = reason;
        if (isBusy) return session.cancel(reason);
        end(reason);
        output.flush();
        socket.end();
      },
      drain(reason) {
        draining = reason;
        if (!isBusy) open.end(reason);
      },
    };
    cleanUp = async () => {
      sessions.delete(open);
      cancelKey.release();
      await session.close();
    };
    gone.signal.addEventListener('abort', () => void session.close(), { once: true });
    session.begin();
    sessions.add(open);
    output.write(backend.backendKeyData(backendPid, cancelKey.key));
    output.write(backend.readyForQuery('I'));
    output.flush();
    for (let message = await messages.next(); message !== null; message = await messages.next()) {
      if (isStartupKind(message)) throw fatal('08P01', 'a second startup message');
      isBusy = true;
      const stays = await session.handle(message);
      isBusy = false;
      if (!stays) break;
      const reason = leaving();
      if (reason !== null && message.kind !== 'parse' && message.kind !== 'bind') throw reason;
    }
    output.flush();
  } catch (error) {
    end(error);
  } finally {
    clearTimeout(late);
    await cleanUp().catch((error: unknown) => logger.error({ err: error }, 'a session could not be closed'));
    place?.leave();
    socket.end();
    socket.destroySoon();
  }

  /** Says why, where somebody is there to hear it. */
  function end(error: unknown): void {
    if (error instanceof ConnectionGoneError || gone.signal.aborted) return;
    const { fields } = toPgError(error);
    parts.onRefused(fields.code);
    if (fields.code === 'XX000') logger.error({ err: error }, 'a connection failed unexpectedly');
    else logger.info({ sqlState: fields.code }, 'connection ended');
    socket.write(backend.errorResponse({ ...fields, severity: 'FATAL' }));
  }
}
