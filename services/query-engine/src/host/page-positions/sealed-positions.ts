/**
 * Encrypts what is kept of pages: it holds values of keys, of a tenant's items. Whoever can read Redis sees neither these nor
 * which statements they are of.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import { POSITION_KEYS_KEPT } from '../limits.ts';

export interface SealedPositions {
  /** What an entry is found by: says nothing of its parts to whoever has not the key. */
  nameOf(tenantId: string, parts: readonly unknown[]): string;
  seal(tenantId: string, name: string, text: string): string;
  /** Null where it was not sealed for this tenant and name, by this key, or was changed. */
  open(tenantId: string, name: string, sealed: string): string | null;
}

interface TenantKeys {
  readonly sealing: Buffer;
  readonly naming: Buffer;
}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** NIST SP 800-38D, section 8.2.2: a random nonce of 96 bits. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `key`: 32 bytes, of all engines. Each tenant has keys of its own, derived of it (RFC 5869). */
export function sealedPositions(key: Uint8Array): SealedPositions {
  const known = boundedCache<TenantKeys>(POSITION_KEYS_KEPT);
  const keysOf = (tenantId: string): TenantKeys => {
    const found = known.get(tenantId);
    if (found !== undefined) return found;
    const derive = (purpose: string): Buffer =>
      Buffer.from(
        hkdfSync('sha256', key, '', `penstock page positions, ${purpose}, of ${tenantId}`, KEY_BYTES),
      );
    const made = { sealing: derive('sealing'), naming: derive('naming') };
    known.set(tenantId, made);
    return made;
  };
  const additionalData = (tenantId: string, name: string): Buffer =>
    Buffer.from(JSON.stringify([tenantId, name]));
  return Object.freeze({
    nameOf: (tenantId, parts) =>
      createHmac('sha256', keysOf(tenantId).naming).update(JSON.stringify(parts)).digest('base64url'),
    seal(tenantId, name, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, keysOf(tenantId).sealing, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(additionalData(tenantId, name));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(tenantId, name, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(ALGORITHM, keysOf(tenantId).sealing, nonce, {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(additionalData(tenantId, name));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const opened = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
        return Buffer.concat(opened).toString('utf8');
      } catch {
        return null;
      }
    },
  } satisfies SealedPositions);
}
