import { TOKEN_KINDS } from '@penstock/common/token/claims.ts';
import { z } from 'zod';
import { CLOCK_SKEW_S, REFRESH_TOKEN_LIFETIME_S } from '../limits.ts';

/**
 * A signing key. It is published as `next` before it signs, signs as `current`, and is published as `retired` until
 * the last access token that it signed has expired. So verifiers know every key before they meet it, and do not notice a
 * rotation. It is kept until the last refresh token has expired.
 */
const signingKeySchema = z
  .object({
    /** RFC 7638 thumbprint of the public key. */
    kid: z.string(),
    state: z.enum(['next', 'current', 'retired']),
    /** P-256 coordinates, base64url (RFC 7518, section 6.2.1). */
    publicKey: z.object({ x: z.string(), y: z.string() }).readonly(),
    /** The private JWK, sealed with the key ID as additional data. */
    sealedPrivateKey: z.string(),
    createdAtMs: z.number(),
    retiredAtMs: z.number().nullable(),
  })
  .readonly();

export const keyRingSchema = z.object({ keys: z.array(signingKeySchema).readonly() }).readonly();

export type SigningKey = z.infer<typeof signingKeySchema>;
/** Always one current and one next key, newest last. */
export type KeyRing = z.infer<typeof keyRingSchema>;

const PUBLISHED_MS = (TOKEN_KINDS.rest.lifetimeS + CLOCK_SKEW_S) * 1000;
const KEPT_MS = (REFRESH_TOKEN_LIFETIME_S + CLOCK_SKEW_S) * 1000;

export function keyIn(ring: KeyRing, state: 'next' | 'current'): SigningKey {
  const found = ring.keys.find((key) => key.state === state);
  if (found === undefined) throw new Error(`The ring of signing keys has no ${state} key`);
  return found;
}

/** The ring of a service that starts for the first time. */
export function firstRing(current: SigningKey, next: SigningKey): KeyRing {
  return { keys: [{ ...current, state: 'current' }, next] };
}

/** The next key becomes the current one; retired keys that no living token can name are dropped. */
export function rotated(ring: KeyRing, newNext: SigningKey, nowMs: number): KeyRing {
  const keys = keysOf(ring, nowMs, KEPT_MS).map((key): SigningKey => {
    if (key.state === 'current') return { ...key, state: 'retired', retiredAtMs: nowMs };
    return key.state === 'next' ? { ...key, state: 'current' } : key;
  });
  return { keys: [...keys, newNext] };
}

/** The keys of access tokens: those that may sign new ones, and those of tokens that still live. */
export const publishedKeys = (ring: KeyRing, nowMs: number): readonly SigningKey[] =>
  keysOf(ring, nowMs, PUBLISHED_MS);

const keysOf = (ring: KeyRing, nowMs: number, retiredMs: number): readonly SigningKey[] =>
  ring.keys.filter((key) => key.retiredAtMs === null || nowMs - key.retiredAtMs < retiredMs);
