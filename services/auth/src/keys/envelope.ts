import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey } from './derive.ts';

/**
 * Encrypts what must not be readable in the table. The first key of PENSTOCK_KEY_ENCRYPTION_KEY encrypts; each of its
 * keys decrypts.
 */
export interface Envelope {
  /** The ID of the key that seals. */
  readonly keyId: string;
  /** `context` names what is sealed (a key ID, a user ID), so that a sealed value is of no use in another's place. */
  seal(plaintext: string, context: string): Promise<string>;
  /**
   * Throws where the key or the context is not the one that the value was sealed with, and where the text was
   * changed.
   */
  open(sealed: string, context: string): string;
  /** False for a value that has to be sealed again, under the first key and in the present format. */
  isCurrent(sealed: string): boolean;
}

interface EnvelopeOptions {
  /** Keys of 32 bytes each. The first seals, all open. */
  readonly keys: readonly Uint8Array[];
  /** Called with the key's ID each time before something is sealed under it. */
  readonly beforeSealing: (keyId: string) => Promise<void>;
}

const algorithm = 'aes-256-gcm';
/** NIST SP 800-38D, section 8.2.2: a random nonce of 96 bits. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** `v2.<key ID>.<base64url of nonce, tag and ciphertext>`; `v1` named no key. */
const [format, keylessFormat] = ['v2', 'v1'];
const KEY_ID_BYTES = 8;

/** What names a key in the values sealed under it: 16 hex digits, which say nothing of the key itself. */
export function keyIdOf(key: Uint8Array): string {
  return Buffer.from(deriveKey(key, 'key ID').subarray(0, KEY_ID_BYTES)).toString('hex');
}

function decrypt(key: Uint8Array, body: string, additionalData: string): string {
  const bytes = Buffer.from(body, 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(additionalData));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const opened = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
  return Buffer.concat(opened).toString('utf8');
}

/** Opens a value that does not name its key. */
function decryptByAny(keys: Iterable<Uint8Array>, body: string, context: string): string {
  let failure: unknown;
  for (const key of keys) {
    try {
      return decrypt(key, body, context);
    } catch (error) {
      failure = error;
    }
  }
  throw new Error('A value is sealed under no key of PENSTOCK_KEY_ENCRYPTION_KEY, or was changed', {
    cause: failure,
  });
}

export function createEnvelope({ keys, beforeSealing }: EnvelopeOptions): Envelope {
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]));
  const [first] = byId;
  if (first === undefined) throw new Error('An envelope needs a key');
  const [currentId, currentKey] = first;
  const prefixOf = (keyId: string): string => `${format}.${keyId}.`;

  return Object.freeze({
    keyId: currentId,
    async seal(plaintext: string, context: string): Promise<string> {
      await beforeSealing(currentId);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(algorithm, currentKey, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(prefixOf(currentId) + context));
      const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      const body = Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
      return prefixOf(currentId) + body;
    },
    open(text: string, context: string): string {
      const [version, ...rest] = text.split('.');
      if (version === keylessFormat) return decryptByAny(byId.values(), rest.join('.'), context);
      if (version !== format) throw new Error('A sealed value has an unknown format');
      const [keyId = '', body = ''] = rest;
      const key = byId.get(keyId);
      if (key === undefined) {
        throw new Error(`A value is sealed under the key ${keyId}, not one of PENSTOCK_KEY_ENCRYPTION_KEY`);
      }
      return decrypt(key, body, prefixOf(keyId) + context);
    },
    isCurrent: (text: string): boolean => text.startsWith(prefixOf(currentId)),
  });
}
