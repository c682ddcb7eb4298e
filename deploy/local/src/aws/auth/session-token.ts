import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { SIGNING_CACHE_ENTRIES_MAX } from '../limits.ts';
import type { SessionPrincipal } from './principal.ts';

/** Temporary credentials as STS hands them out. */
interface SessionCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** What a session token holds. */
interface SealedSession {
  readonly accessKeyId: string;
  readonly principal: SessionPrincipal;
}

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Issues and opens temporary credentials. A session token is the session itself, sealed with the endpoint's
 * key, and the secret is derived from the access key ID: so sessions survive a restart without being stored.
 * @param key 32 bytes that live as long as the data directory
 */
export function createSessionTokens(key: Buffer) {
  const opened = new Map<string, SealedSession>();

  function secretOf(accessKeyId: string): string {
    return createHmac('sha256', key).update(`secret/${accessKeyId}`).digest('base64').slice(0, 40);
  }

  function issue(principal: SessionPrincipal): SessionCredentials {
    const accessKeyId = `ASIA${randomBase32(16)}`;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, iv);
    const text = JSON.stringify({ accessKeyId, principal } satisfies SealedSession);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const sessionToken = Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64');
    return { accessKeyId, secretAccessKey: secretOf(accessKeyId), sessionToken };
  }

  function open(sessionToken: string): SealedSession | undefined {
    const known = opened.get(sessionToken);
    if (known !== undefined) return known;
    const session = unseal(Buffer.from(sessionToken, 'base64'));
    if (session === undefined) return undefined;
    if (opened.size >= SIGNING_CACHE_ENTRIES_MAX) opened.clear();
    opened.set(sessionToken, session);
    return session;
  }

  function unseal(bytes: Buffer): SealedSession | undefined {
    if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
      return JSON.parse(text.toString('utf8')) as SealedSession;
    } catch {
      return undefined;
    }
  }

  return { issue, open, secretOf };
}

export type SessionTokens = ReturnType<typeof createSessionTokens>;

/** Random upper-case identifier characters, as in access key and role IDs. */
export function randomBase32(length: number): string {
  return [...randomBytes(length)].map((byte) => BASE32.charAt(byte % BASE32.length)).join('');
}
