/** Bytes in, messages out: where each message of a connection begins and ends. */
import { PgError } from '../errors/pg-error.ts';
import {
  LONG_MESSAGE_BYTES,
  MESSAGE_BYTES_MAX,
  MESSAGE_CLAIM_BYTES_MAX,
  SIGN_IN_MESSAGE_BYTES_MAX,
  STARTUP_BYTES_MAX,
} from '../limits.ts';
import { createByteQueue } from './byte-queue.ts';
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
  /** Where long messages find room from now on; before, none is taken. */
  set room(room: Room);
  add(bytes: Buffer): void;
  /**
   * The next message; null where it is not whole yet. Throws PgError of severity FATAL where nothing is known of what
   * follows.
   */
  next(): Framed | null;
  /** What was added and is no message yet, e.g. the beginning of another protocol. */
  takeRest(): Buffer;
  /** Gives up what long messages have reserved. */
  close(): void;
}

/** Room for long messages, which others share. */
export interface Room {
  /** False where there is none. */
  reserve(bytes: number): boolean;
  release(bytes: number): void;
}

const LENGTH_BYTES = 4;

const fatal = (message: string): PgError => new PgError({ code: '08P01', message, severity: 'FATAL' });

const tooLong = (type: string, bytes: number, bytesMax: number): FrontendMessage => ({
  kind: 'refused',
  code: '54000',
  message: `a message has at most ${bytesMax} bytes, not ${bytes}`,
  isExtended: isExtendedType(type),
});
const noRoom = (type: string): FrontendMessage => ({
  kind: 'refused',
  code: '53200',
  message: 'out of memory: too many long messages come to the sessions of this tenant',
  isExtended: isExtendedType(type),
});

export function createMessageStream(): MessageStream {
  let phase: Phase = 'startup';
  let room: Room | null = null;
  const held = createByteQueue();
  /** Bytes that must be there before it is worth looking again. */
  let needed = 0;
  /** Of the long message that is coming. */
  let reserved = 0;
  /** Of a message that is not taken: what is still to be forgotten, and what it is answered with. */
  let skipped: { left: number; readonly framed: Framed } | null = null;

  const release = (): void => {
    if (reserved > 0) room?.release(reserved);
    reserved = 0;
  };
  /** The length in a message's head, which counts itself. */
  const lengthAt = (offset: number, max: number): number => {
    const length = held.uint32At(offset);
    if (length < LENGTH_BYTES || length > max) throw fatal('invalid length of message');
    return length;
  };
  const isThere = (bytes: number): boolean => {
    needed = bytes;
    held.expect(bytes);
    return held.length >= bytes;
  };
  /** A copy: what else came with it is not kept by it. */
  const take = (from: number, to: number): Buffer => {
    const body = held.copy(from, to);
    held.drop(to);
    needed = 0;
    return body;
  };

  const nextStartup = (): Framed | null => {
    if (!isThere(LENGTH_BYTES)) return null;
    const length = lengthAt(0, STARTUP_BYTES_MAX);
    if (!isThere(length)) return null;
    return { message: decodeStartup(take(LENGTH_BYTES, length)), bytes: length };
  };

  const nextMessage = (bytesMax: number): Framed | null => {
    if (!isThere(1 + LENGTH_BYTES)) return null;
    const code = held.uint8At(0);
    const type = String.fromCharCode(code);
    if (!isKnownType(type)) throw fatal(`invalid frontend message type ${code}`);
    if (phase === 'signIn' && type !== 'p' && type !== 'X')
      throw fatal(`expected password response, got message type ${type}`);
    const bytes = 1 + lengthAt(1, phase === 'signIn' ? bytesMax : MESSAGE_CLAIM_BYTES_MAX);
    const skip = (message: FrontendMessage): Framed | null => {
      skipped = { left: bytes, framed: { message, bytes: 0 } };
      return next();
    };
    if (bytes > bytesMax) return skip(tooLong(type, bytes, bytesMax));
    if (isThere(bytes)) {
      const message = decodeMessage(type, take(1 + LENGTH_BYTES, bytes));
      release();
      return { message, bytes };
    }
    if (bytes > LONG_MESSAGE_BYTES && reserved === 0 && room !== null) {
      if (!room.reserve(bytes)) return skip(noRoom(type));
      reserved = bytes;
    }
    return null;
  };

  function next(): Framed | null {
    if (skipped !== null) {
      const length = Math.min(skipped.left, held.length);
      skipped.left -= length;
      held.drop(length);
      needed = 0;
      if (skipped.left > 0) return null;
      const { framed } = skipped;
      skipped = null;
      return framed;
    }
    if (held.length < needed) return null;
    if (phase === 'startup') return nextStartup();
    return nextMessage(phase === 'signIn' ? SIGN_IN_MESSAGE_BYTES_MAX : MESSAGE_BYTES_MAX);
  }

  return {
    get phase() {
      return phase;
    },
    set phase(to) {
      phase = to;
      needed = 0;
    },
    set room(to: Room) {
      room = to;
    },
    add: (bytes) => held.add(bytes),
    next,
    takeRest() {
      const rest = held.copy(0, held.length);
      held.drop(rest.length);
      return rest;
    },
    close() {
      release();
      held.drop(held.length);
    },
  };
}
