/** The message that opens a connection: it has no type. */
import { PgError } from '../errors/pg-error.ts';
import { fieldsOf, malformed } from './fields.ts';
import type { StartupMessage } from './frontend.ts';

/** Protocol "versions" that are requests. */
const REQUESTS = Object.freeze({ cancel: 80_877_102, ssl: 80_877_103, gssEnc: 80_877_104 });

/** Keys of protocol 3.0 have four bytes, those of 3.2 up to 256. */
const CANCEL_KEY_BYTES = Object.freeze({ min: 4, max: 256 });

/** @throws PgError FATAL, since nothing is known of what follows */
export function decodeStartup(body: Buffer): StartupMessage {
  try {
    return decode(body);
  } catch (error) {
    if (!(error instanceof PgError)) throw error;
    throw new PgError({ ...error.fields, severity: 'FATAL' }, { cause: error });
  }
}

function decode(body: Buffer): StartupMessage {
  const fields = fieldsOf(body);
  const version = fields.uint32();
  if (version === REQUESTS.ssl || version === REQUESTS.gssEnc) {
    fields.end();
    return { kind: version === REQUESTS.ssl ? 'sslRequest' : 'gssEncRequest' };
  }
  if (version === REQUESTS.cancel) {
    const backendPid = fields.uint32();
    const key = fields.rest();
    if (key.length < CANCEL_KEY_BYTES.min || key.length > CANCEL_KEY_BYTES.max)
      throw malformed('a cancel key has 4 to 256 bytes');
    return { kind: 'cancelRequest', backendPid, key: Buffer.from(key) };
  }
  const parameters = new Map<string, string>();
  const [major, minor] = [version >>> 16, version & 0xffff];
  // Of another version nothing else is known.
  if (major !== 3) return { kind: 'startup', major, minor, parameters };
  for (let name = fields.text(); name !== ''; name = fields.text()) parameters.set(name, fields.text());
  fields.end();
  return { kind: 'startup', major, minor, parameters };
}
