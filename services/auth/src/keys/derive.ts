import { hkdfSync } from 'node:crypto';

/** Derives a key for one purpose from the operator's key (RFC 5869). It is the same on every replica. */
export function deriveKey(keyEncryptionKey: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', keyEncryptionKey, new Uint8Array(), `penstock ${purpose}`, 32));
}
