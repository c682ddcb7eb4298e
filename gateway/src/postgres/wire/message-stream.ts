/** Bytes in, messages out: where each message of a connection begins and ends. Holds one message at most. */
import { PgError } from '../errors/pg-error.ts';
import {
  MESSAGE_BYTES_MAX,
  MESSAGE_CLAIM_BYTES_MAX,
  SIGN_IN_MESSAGE_BYTES_MAX,
  STARTUP_BYTES_MAX,
} from '../limits.ts';
import { decodeMessage, isExtendedType, isKnownType } from './decode-message.ts';
import { decodeStartup } from './decode-startup.ts';
import type { FrontendMessage, StartupMessage } from './frontend.ts';

/** What the next bytes are taken for. */
export type Phase = 'startup' | 'signIn' | 'session';

/** A message, and the bytes that it took. */
export interface Framed {
  readonly message: StartupMessage | FrontendMessage;
  readonly bytes: number;
}

export interface MessageStream {
  phase: Phase;
  add(bytes: Buffer): void;
  /**
   * The next message; null where it is not whole yet. Throws PgError of severity FATAL where nothing is known of what
   * follows.
   */
  next(): Framed | null;
  /** What was added and is no message yet, e.g. the beginning of another protocol. */
  takeRest(): Buffer;
}

const LENGTH_BYTES = 4;
const NOTHING = Buffer.alloc(0);

const fatal = (message: string): PgError => new PgError({ code: '08P01', message, severity: 'FATAL' });

export function createMessageStream(): MessageStream {
  let phase: Phase = 'startup';
  let chunks: Buffer[] = [];
  let held = 0;
  /** Of a message that is too long: what is still to be forgotten, and the error that it is answered with. */
  let skipped: { left: number; readonly framed: Framed } | null = null;

  const joined = (): Buffer => {
    if (chunks.length > 1) chunks = [Buffer.concat(chunks)];
    return chunks[0] ?? NOTHING;
  };
  const drop = (length: number): void => {
    const rest = joined().subarray(length);
    chunks = rest.length === 0 ? [] : [rest];
    held -= length;
  };
  /** The length in a message's head, which counts itself. */
  const lengthAt = (offset: number, max: number): number => {
    const length = joined().readUInt32BE(offset);
    if (length < LENGTH_BYTES || length > max) throw fatal('invalid length of message');
    return length;
  };

  const nextStartup = (): Framed | null => {
    if (held < LENGTH_BYTES) return null;
    const length = lengthAt(0, STARTUP_BYTES_MAX);
    if (held < length) return null;
    const message = decodeStartup(Buffer.from(joined().subarray(LENGTH_BYTES, length)));
    drop(length);
    return { message, bytes: length };
  };

  const nextMessage = (bytesMax: number): Framed | null => {
    if (held < 1 + LENGTH_BYTES) return null;
    const type = String.fromCharCode(joined()[0] ?? 0);
    if (!isKnownType(type)) throw fatal(`invalid frontend message type ${joined()[0]}`);
    if (phase === 'signIn' && type !== 'p' && type !== 'X')
      throw fatal(`expected password response, got message type ${type}`);
    const length = lengthAt(1, phase === 'signIn' ? bytesMax : MESSAGE_CLAIM_BYTES_MAX);
    const bytes = 1 + length;
    if (bytes > bytesMax) {
      const framed: Framed = {
        message: {
          kind: 'refused',
          code: '54000',
          message: `a message has at most ${bytesMax} bytes, not ${bytes}`,
          isExtended: isExtendedType(type),
        },
        bytes: 0,
      };
      skipped = { left: bytes, framed };
      return next();
    }
    if (held < bytes) return null;
    // A copy: what else came with it is not kept by it.
    const message = decodeMessage(type, Buffer.from(joined().subarray(1 + LENGTH_BYTES, bytes)));
    drop(bytes);
    return { message, bytes };
  };

  function next(): Framed | null {
    if (skipped !== null) {
      const length = Math.min(skipped.left, held);
      skipped.left -= length;
      drop(length);
      if (skipped.left > 0) return null;
      const { framed } = skipped;
      skipped = null;
      return framed;
    }
    if (phase === 'startup') return nextStartup();
    return nextMessage(phase === 'signIn' ? SIGN_IN_MESSAGE_BYTES_MAX : MESSAGE_BYTES_MAX);
  }

  return {
    get phase() {
      return phase;
    },
    set phase(to) {
      phase = to;
    },
    add(bytes) {
      if (bytes.length === 0) return;
      chunks.push(bytes);
      held += bytes.length;
    },
    next,
    takeRest() {
      const rest = joined();
      chunks = [];
      held = 0;
      return rest;
    },
  };
}
