import { hkdfSync } from 'node:crypto';

/** A key for one purpose, from the one that the operator gives (RFC 5869). The same on every replica. */
export function deriveKey(keyEncryptionKey: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', keyEncryptionKey, new Uint8Array(), `penstock ${purpose}`, 32));
}
