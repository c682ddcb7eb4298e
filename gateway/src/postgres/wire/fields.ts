/** Reads the fields of one message. Throws PgError where it has another form than it should. */
import { PgError } from '../errors/pg-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const malformed = (what: string): PgError =>
  new PgError({ code: '08P01', message: `invalid message format: ${what}` });

export interface Fields {
  byte(): number;
  int16(): number;
  uint16(): number;
  int32(): number;
  uint32(): number;
  /** Text up to a zero byte. */
  text(): string;
  bytes(length: number): Buffer;
  /** All that is left. */
  rest(): Buffer;
  readonly left: number;
  /** Throws where something is left. */
  end(): void;
}

export function fieldsOf(body: Buffer): Fields {
  let at = 0;
  const take = (length: number): number => {
    if (length < 0 || at + length > body.length) throw malformed('it ends too early');
    at += length;
    return at - length;
  };
  return {
    byte: () => body.readUInt8(take(1)),
    int16: () => body.readInt16BE(take(2)),
    uint16: () => body.readUInt16BE(take(2)),
    int32: () => body.readInt32BE(take(4)),
    uint32: () => body.readUInt32BE(take(4)),
    text() {
      const end = body.indexOf(0, at);
      if (end < 0) throw malformed('a text without its end');
      const bytes = body.subarray(at, end);
      at = end + 1;
      return decodeText(bytes);
    },
    bytes: (length) => body.subarray(take(length), at),
    rest: () => body.subarray(take(body.length - at)),
    get left() {
      return body.length - at;
    },
    end() {
      if (at < body.length) throw malformed('something follows its last field');
    },
  };
}

/** @throws PgError where the bytes are no UTF-8, or have a zero among them, which PostgreSQL's texts cannot hold */
export function decodeText(bytes: Uint8Array): string {
  if (bytes.includes(0))
    throw new PgError({ code: '22021', message: 'invalid byte sequence for encoding "UTF8": 0x00' });
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new PgError({ code: '22021', message: 'invalid byte sequence for encoding "UTF8"' }, { cause });
  }
}
