import { hkdfSync } from 'node:crypto';

/** Derives a key for one purpose from another, most often the operator's (RFC 5869). It is the same on every replica. */
export function deriveKey(key: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, new Uint8Array(), `penstock ${purpose}`, 32));
}
