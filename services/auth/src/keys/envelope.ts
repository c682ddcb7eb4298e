import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts what must not lie readable in the table, under PENSTOCK_KEY_ENCRYPTION_KEY. */
export interface Envelope {
  /** `context` names what is sealed (a key ID, a user ID), so that a sealed value is of no use in another's place. */
  seal(plaintext: string, context: string): string;
  /** Throws where the key or the context is not the one it was sealed with, or the text was changed. */
  open(sealed: string, context: string): string;
}

const algorithm = 'aes-256-gcm';
/** NIST SP 800-38D, section 8.2.2: a random nonce of 96 bits. */
const nonceBytes = 12;
const tagBytes = 16;
const format = 'v1.';

/** `key` has 32 bytes. */
export function createEnvelope(key: Uint8Array): Envelope {
  return {
    seal(plaintext, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return format + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(text, context) {
      if (!text.startsWith(format)) throw new Error('A sealed value has an unknown format');
      const bytes = Buffer.from(text.slice(format.length), 'base64url');
      const nonce = bytes.subarray(0, nonceBytes);
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const opened = [decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()];
      return Buffer.concat(opened).toString('utf8');
    },
  };
}
