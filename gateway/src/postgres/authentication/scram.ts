/** The server's half of SCRAM-SHA-256 (RFC 5802, RFC 7677) as PostgreSQL speaks it: texts in, texts out. */
import { randomBytes } from 'node:crypto';
import { PgError } from '../errors/pg-error.ts';

export const MECHANISM = 'SCRAM-SHA-256';

const NONCE_BYTES = 18;

const malformed = (what: string): PgError =>
  new PgError({ code: '08P01', message: `malformed SCRAM message: ${what}`, severity: 'FATAL' });

export interface ClientFirst {
  readonly gs2Header: string;
  readonly bare: string;
  readonly nonce: string;
}

/** @throws PgError FATAL */
export function readClientFirst(message: string): ClientFirst {
  // PostgreSQL's clients leave the user name empty: it stands in the startup message.
  const parts = /^([ny]|p=[^,]*),(a=[^,]*)?,((?:m=[^,]*,)?n=[^,]*,r=([\x21-\x2b\x2d-\x7e]+)(?:,.*)?)$/.exec(
    message,
  );
  if (parts === null) throw malformed('the first one');
  const [, binding = '', authorization = '', bare = '', nonce = ''] = parts;
  if (binding.startsWith('p')) throw malformed('channel binding was not offered');
  if (authorization !== '') throw malformed('nobody acts for somebody else here');
  if (bare.startsWith('m=')) throw malformed('no extension is known');
  return { gs2Header: `${binding},,`, bare, nonce };
}

export interface ServerFirst {
  readonly message: string;
  readonly nonce: string;
}

export function serverFirst(client: ClientFirst, salt: Uint8Array, iterations: number): ServerFirst {
  const nonce = client.nonce + randomBytes(NONCE_BYTES).toString('base64');
  return { nonce, message: `r=${nonce},s=${Buffer.from(salt).toString('base64')},i=${iterations}` };
}

export interface ClientFinal {
  readonly authMessage: string;
  readonly proof: Buffer;
}

const PROOF_BYTES = 32;

/** @throws PgError FATAL where it answers another exchange */
export function readClientFinal(message: string, client: ClientFirst, server: ServerFirst): ClientFinal {
  const parts = /^(c=([A-Za-z0-9+/=]+),r=([^,]+)),p=([A-Za-z0-9+/=]+)$/.exec(message);
  if (parts === null) throw malformed('the last one');
  const [, withoutProof = '', binding = '', nonce = '', proof = ''] = parts;
  if (Buffer.from(binding, 'base64').toString() !== client.gs2Header)
    throw malformed('another channel binding than at first');
  if (nonce !== server.nonce) throw malformed('another nonce than was given');
  const bytes = Buffer.from(proof, 'base64');
  if (bytes.length !== PROOF_BYTES) throw malformed('a proof of another length');
  return { authMessage: `${client.bare},${server.message},${withoutProof}`, proof: bytes };
}

export const serverFinal = (signature: Uint8Array): string =>
  `v=${Buffer.from(signature).toString('base64')}`;
