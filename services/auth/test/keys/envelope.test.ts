import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createEnvelope, keyIdOf } from '../../src/keys/envelope.ts';
import { envelopeOf } from '../support/envelope.ts';
import { sealWithoutKeyId } from '../support/legacy-seal.ts';

const [key, other] = [randomBytes(32), randomBytes(32)];

describe('A sealed value', () => {
  it('names its key, by an ID that is the same on every replica and not part of the key', async () => {
    const sealed = await envelopeOf(key).seal('secret', 'user-1');
    expect(sealed).to.match(new RegExp(`^v2\\.${keyIdOf(key)}\\.[\\w-]+$`));
    expect(keyIdOf(key)).to.match(/^[0-9a-f]{16}$/);
    expect(keyIdOf(key)).to.not.equal(keyIdOf(other));
    expect(key.toString('hex')).not.to.include(keyIdOf(key));
    expect(envelopeOf(key).open(sealed, 'user-1')).to.equal('secret');
  });

  it('opens under each of the keys, and is current under the first only', async () => {
    const old = await envelopeOf(other).seal('secret', 'user-1');
    const envelope = envelopeOf(key, other);
    expect(envelope.open(old, 'user-1')).to.equal('secret');
    expect(envelope.isCurrent(old)).to.equal(false);
    const anew = await envelope.seal('secret', 'user-1');
    expect(envelope.isCurrent(anew)).to.equal(true);
    expect(envelopeOf(key).open(anew, 'user-1')).to.equal('secret');
    expect(() => envelopeOf(other).open(anew, 'user-1')).to.throw(keyIdOf(key));
  });

  it('that names no key opens under each of the keys, and is never current', () => {
    const old = sealWithoutKeyId(other, 'secret', 'user-1');
    for (const envelope of [envelopeOf(other), envelopeOf(key, other), envelopeOf(other, key)]) {
      expect(envelope.open(old, 'user-1')).to.equal('secret');
      expect(envelope.isCurrent(old)).to.equal(false);
    }
    expect(() => envelopeOf(key).open(old, 'user-1')).to.throw('PENSTOCK_KEY_ENCRYPTION_KEY');
    expect(() => envelopeOf(other).open(old, 'user-2')).to.throw();
  });

  it('does not open in another record, changed, cut short, or under another key’s name', async () => {
    const envelope = envelopeOf(key, other);
    const sealed = await envelope.seal('secret', 'user-1');
    const body = sealed.split('.')[2] ?? '';
    expect(() => envelope.open(sealed, 'user-2')).to.throw();
    for (const forged of [
      `${sealed.slice(0, -2)}AA`,
      sealed.slice(0, -4),
      `v2.${keyIdOf(other)}.${body}`,
      `v2.${keyIdOf(key)}.`,
      `v1.${body}`,
      `v3.${body}`,
      body,
      '',
    ]) {
      expect(() => envelope.open(forged, 'user-1'), forged).to.throw();
    }
  });

  it('is not made before its key is known to be in use', async () => {
    const told: string[] = [];
    const envelope = createEnvelope({
      keys: [key, other],
      beforeSealing: async (keyId) => void told.push(keyId),
    });
    await envelope.seal('secret', 'user-1');
    expect(told).to.deep.equal([keyIdOf(key)]);
    const away = createEnvelope({ keys: [key], beforeSealing: () => Promise.reject(new Error('away')) });
    expect(await away.seal('secret', 'user-1').catch((error: unknown) => String(error))).to.include('away');
  });
});
