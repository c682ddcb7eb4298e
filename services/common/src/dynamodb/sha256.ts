/** SHA-256 for signing requests. */
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { Checksum, SourceData } from '@smithy/types';
import { boundedCache } from '../caching/bounded-cache.ts';
import { SIGNING_SECRETS_KEPT } from './limits.ts';

/** Keys of secrets that are text; those of others go with their secrets. */
const ofTexts = boundedCache<KeyObject>(SIGNING_SECRETS_KEPT);
const ofBytes = new WeakMap<object, KeyObject>();

const bytesOf = (secret: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(secret)
    ? new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength)
    : new Uint8Array(secret);

/** Node.js takes seven times as long for an HMAC of a secret that is no key object; a signer has two secrets for thousands of requests. */
function keyOf(secret: SourceData): KeyObject {
  const known = typeof secret === 'string' ? ofTexts.get(secret) : ofBytes.get(secret);
  if (known !== undefined) return known;
  if (typeof secret === 'string') {
    const key = createSecretKey(secret, 'utf8');
    ofTexts.set(secret, key);
    return key;
  }
  const key = createSecretKey(bytesOf(secret));
  ofBytes.set(secret, key);
  return key;
}

/** As the SDK's own, which makes a key of the secret anew each time. */
export class Sha256 implements Checksum {
  readonly digestLength = 32;
  private readonly key: KeyObject | null;
  /** Nearly always one piece. */
  private pieces: Uint8Array[] = [];

  constructor(secret?: SourceData) {
    this.key = secret === undefined ? null : keyOf(secret);
  }

  update(data: Uint8Array): void {
    this.pieces.push(data);
  }

  async digest(): Promise<Uint8Array> {
    const [first] = this.pieces;
    const data = this.pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.pieces);
    // In one go: an object for a hash takes as long as the hash.
    return this.key === null
      ? hash('sha256', data, 'buffer')
      : createHmac('sha256', this.key).update(data).digest();
  }

  reset(): void {
    this.pieces = [];
  }
}
