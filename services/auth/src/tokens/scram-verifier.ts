/**
 * What SCRAM-SHA-256 (RFC 5802, section 3; RFC 7677) keeps of a secret: enough to check a proof of it, not to make one.
 *
 * It stands beside the secret's hash. Nobody can guess 256 random bits from either.
 */
import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { SCRAM_ITERATIONS, SCRAM_SALT_BYTES } from '../limits.ts';

const HASH_BYTES = 32;

/** As it is stored; bytes are base64. */
export const scramVerifierSchema = z.object({
  salt: z.string(),
  iterations: z.number(),
  storedKey: z.string(),
  serverKey: z.string(),
});

export type ScramVerifier = z.infer<typeof scramVerifierSchema>;

const hmac = (key: Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const derive = promisify(pbkdf2);

/** Secrets of ours are ASCII: SASLprep leaves them as they are. */
export async function makeScramVerifier(secret: string): Promise<ScramVerifier> {
  const salt = randomBytes(SCRAM_SALT_BYTES);
  const salted = await derive(secret, salt, SCRAM_ITERATIONS, HASH_BYTES, 'sha256');
  return {
    salt: salt.toString('base64'),
    iterations: SCRAM_ITERATIONS,
    storedKey: sha256(hmac(salted, 'Client Key')).toString('base64'),
    serverKey: hmac(salted, 'Server Key').toString('base64'),
  };
}

/** A verifier that no secret fits. Of one name it has the same salt each time, as a client's has. */
export function nobodysVerifier(key: Uint8Array, name: string): ScramVerifier {
  const salt = hmac(key, name).subarray(0, SCRAM_SALT_BYTES);
  const nothing = Buffer.alloc(HASH_BYTES).toString('base64');
  return {
    salt: salt.toString('base64'),
    iterations: SCRAM_ITERATIONS,
    storedKey: nothing,
    serverKey: nothing,
  };
}

/** The server's own proof where the client's is right; null where it is wrong. */
export function serverSignatureFor(
  verifier: ScramVerifier,
  authMessage: string,
  clientProof: Uint8Array,
): Buffer | null {
  const storedKey = Buffer.from(verifier.storedKey, 'base64');
  const signature = hmac(storedKey, authMessage);
  const clientKey = Buffer.from(clientProof.map((byte, i) => byte ^ (signature[i] ?? 0)));
  const found = sha256(clientKey);
  if (found.length !== storedKey.length || !timingSafeEqual(found, storedKey)) return null;
  return hmac(Buffer.from(verifier.serverKey, 'base64'), authMessage);
}
