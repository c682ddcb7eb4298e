import { expect } from 'chai';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Sha256 } from '../../src/dynamodb/sha256.ts';

describe('SHA-256 for signing', () => {
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const digestOf = async (data: Uint8Array, secret?: string | Uint8Array | ArrayBuffer): Promise<string> => {
    const hash = new Sha256(secret);
    hash.update(data.subarray(0, 3));
    hash.update(data.subarray(3));
    return hex(await hash.digest());
  };

  it('is the hash, and with a secret the HMAC, whatever the secret is made of', async () => {
    for (const length of [0, 1, 55, 64, 65, 5_000]) {
      const data = randomBytes(length);
      expect(await digestOf(data)).to.equal(createHash('sha256').update(data).digest('hex'));
      const bytes = new Uint8Array(randomBytes(32));
      const view = new Uint8Array([1, ...bytes, 2]).subarray(1, 33);
      const text = `AWS4${randomBytes(12).toString('base64')}é`;
      for (const secret of [bytes, view, bytes.buffer, text])
        for (let again = 0; again < 2; again++)
          expect(await digestOf(data, secret)).to.equal(
            createHmac('sha256', secret instanceof ArrayBuffer ? new Uint8Array(secret) : secret)
              .update(data)
              .digest('hex'),
          );
    }
  });

  it('begins anew when it is reset', async () => {
    const hash = new Sha256('secret');
    hash.update(Buffer.from('lost'));
    hash.reset();
    hash.update(Buffer.from('kept'));
    expect(hex(await hash.digest())).to.equal(createHmac('sha256', 'secret').update('kept').digest('hex'));
  });
});
