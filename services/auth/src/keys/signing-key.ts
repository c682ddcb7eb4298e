import { SIGNING_ALGORITHM } from '@penstock/common/token/claims.ts';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import type { Envelope } from './envelope.ts';
import type { SigningKey } from './key-ring.ts';

/** A new key, in state `next`. */
export async function newSigningKey(envelope: Envelope, nowMs: number): Promise<SigningKey> {
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const { x, y, d } = await exportJWK(pair.privateKey);
  if (x === undefined || y === undefined || d === undefined)
    throw new Error('An ES256 key came without x, y or d');
  const kid = await calculateJwkThumbprint({ kty: 'EC', crv: 'P-256', x, y });
  return {
    kid,
    state: 'next',
    publicKey: { x, y },
    sealedPrivateKey: await envelope.seal(d, kid),
    createdAtMs: nowMs,
    retiredAtMs: null,
  };
}

/** The public half, as the JWK set shows it (RFC 7517). */
export function toPublicJwk({ kid, publicKey }: SigningKey): JWK {
  return { kty: 'EC', crv: 'P-256', ...publicKey, kid, alg: SIGNING_ALGORITHM, use: 'sig' };
}

/** The key as the envelope seals it now. Throws where the envelope does not open it. */
export async function resealedKey(key: SigningKey, envelope: Envelope): Promise<SigningKey> {
  const { kid, sealedPrivateKey: sealed } = key;
  if (envelope.isCurrent(sealed)) return key;
  return { ...key, sealedPrivateKey: await envelope.seal(envelope.open(sealed, kid), kid) };
}

/** The private half, ready to sign. Throws where the envelope does not open it. */
export async function openPrivateKey(key: SigningKey, envelope: Envelope): Promise<CryptoKey> {
  const d = envelope.open(key.sealedPrivateKey, key.kid);
  const imported = await importJWK({ kty: 'EC', crv: 'P-256', ...key.publicKey, d }, SIGNING_ALGORITHM);
  if (imported instanceof Uint8Array) throw new Error('An ES256 key was imported as a symmetric one');
  return imported;
}
