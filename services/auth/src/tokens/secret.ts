/**
 * Secrets that we make: 256 random bits behind a prefix that says what it is (secret scanners look for such).
 *
 * They are stored as SHA-256. A slow hash makes guesses expensive, which protects what people choose. Nobody can
 * guess 256 random bits, so a fast hash is right here, and keeps a token call at a millisecond.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { SECRET_BYTES } from '../limits.ts';

const prefixes = Object.freeze({
  clientSecret: 'pst_cs_',
  enrollment: 'pst_en_',
  consoleSession: 'pst_se_',
});

export function newSecret(kind: keyof typeof prefixes): string {
  return prefixes[kind] + randomBytes(SECRET_BYTES).toString('base64url');
}

/** What of a secret is stored: SHA-256, hex. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares in constant time. */
export function secretMatches(secret: string, storedHash: string): boolean {
  const [given, stored] = [Buffer.from(hashSecret(secret), 'hex'), Buffer.from(storedHash, 'hex')];
  return given.length === stored.length && timingSafeEqual(given, stored);
}
