/** The beginning of a connection: whether it is encrypted, and which protocol it speaks. */
import type { Socket } from 'node:net';
import { TLSSocket, type SecureContext } from 'node:tls';
import type { CancelKeys } from '../cancel/cancel-keys.ts';
import { PgError } from '../errors/pg-error.ts';
import type { Output } from '../session/output.ts';
import * as backend from '../wire/backend.ts';
import type { FrontendMessage, StartupMessage } from '../wire/frontend.ts';
import { encrypt, TLS_HANDSHAKE } from './encryption.ts';
import { readMessages, type Messages } from './messages.ts';

export interface BeginParts {
  readonly cancelKeys: CancelKeys;
  /** The present one; null: no TLS. */
  readonly secureContext: () => SecureContext | null;
}

/** The newest version of the protocol that we speak. */
const MINOR_MAX = 2;

type Startup = Extract<StartupMessage, { kind: 'startup' }>;

export const fatal = (code: string, message: string, hint?: string): PgError =>
  new PgError({ code, message, severity: 'FATAL', ...(hint === undefined ? {} : { hint }) });

export function isStartupKind(message: StartupMessage | FrontendMessage): message is StartupMessage {
  return ['startup', 'sslRequest', 'gssEncRequest', 'cancelRequest'].includes(message.kind);
}

/** What a connection is once it has said which protocol it speaks. */
export interface Begun {
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
export async function begin(socket: Socket, parts: BeginParts): Promise<Begun | null> {
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

/** Tells the client what we speak of what it asked for: the minor version. @throws PgError FATAL */
export function negotiate({ major, minor, parameters }: Startup, output: Output): number {
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
