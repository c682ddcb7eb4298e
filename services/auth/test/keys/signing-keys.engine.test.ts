import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { calculateJwkThumbprint, compactVerify, createLocalJWKSet, SignJWT } from 'jose';
import type { Signer } from '../../src/keys/signing-keys.ts';
import { openSigningKeys } from '../../src/keys/signing-keys.ts';
import type { SigningKeys } from '../../src/keys/signing-keys.ts';
import { createKeyRingStore } from '../../src/store/key-rings.ts';
import type { AuthTable } from '../../src/store/table.ts';
import { movableClock } from '../support/clock.ts';
import type { MovableClock } from '../support/clock.ts';
import { startTestDynamo } from '../support/dynamodb.ts';
import type { TestDynamo } from '../support/dynamodb.ts';
import { envelopeOf } from '../support/envelope.ts';

const key = randomBytes(32);

async function signedBy({ kid, privateKey }: Signer): Promise<string> {
  return new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
}

async function verifies(token: string, keys: SigningKeys): Promise<boolean> {
  return compactVerify(token, createLocalJWKSet(await keys.keySet())).then(
    () => true,
    () => false,
  );
}

describe('signing keys', function () {
  this.timeout(90_000);
  let dynamo: TestDynamo;
  let table: AuthTable & { readonly tableName: string };
  let clock: MovableClock;
  const open = (keyEncryptionKey: Uint8Array = key): Promise<SigningKeys> =>
    openSigningKeys({ store: createKeyRingStore(table), envelope: envelopeOf(keyEncryptionKey), clock });

  before(async () => {
    dynamo = await startTestDynamo();
  });
  beforeEach(async () => {
    clock = movableClock();
    table = await dynamo.table(clock);
  });
  after(() => dynamo.close());

  it('are one ring for replicas that start at once on an empty table', async () => {
    const replicas = await Promise.all(Array.from({ length: 5 }, () => open()));
    const kids = await Promise.all(replicas.map(async (keys) => (await keys.signer()).kid));
    expect(new Set(kids).size).to.equal(1);
  });

  it('are named by their RFC 7638 thumbprint and published without their private half', async () => {
    const { keys } = await (await open()).keySet();
    expect(keys).to.have.length(2);
    for (const jwk of keys) {
      expect(jwk.kid).to.equal(await calculateJwkThumbprint(jwk));
      expect(jwk).to.have.all.keys('kty', 'crv', 'x', 'y', 'kid', 'alg', 'use');
    }
  });

  it('refuse to start under another encryption key, and say which variable is wrong', async () => {
    await open();
    const failure = await open(randomBytes(32)).then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure)
      .to.be.instanceOf(Error)
      .with.property('message')
      .that.includes('PENSTOCK_KEY_ENCRYPTION_KEY');
  });

  it('lie sealed in the table', async () => {
    await open();
    const text = await dynamo.dump(table.tableName);
    expect(text).to.include('sealedPrivateKey').and.not.include('\\"d\\"');
  });

  it('cannot be moved to another key of the ring', async () => {
    const keys = await open();
    await keys.rotate();
    const store = createKeyRingStore(table);
    await store.update(async ({ keys: [retired, current, next] }) => ({
      keys: [retired!, { ...current!, sealedPrivateKey: retired!.sealedPrivateKey }, next!],
    }));
    expect(String(await open().catch((error: unknown) => error))).to.include(
      'does not open the signing keys',
    );
  });

  it('rotate to the key that was already published, on every replica within seconds', async () => {
    const [one, two] = await Promise.all([open(), open()]);
    const published = (await two.keySet()).keys.map(({ kid }) => kid);
    const before = await two.signer();
    const old = await signedBy(before);
    const kid = await one.rotate();
    expect(published).to.include(kid);
    expect((await one.signer()).kid).to.equal(kid);
    clock.forward(3);
    expect((await two.signer()).kid)
      .to.equal(kid)
      .and.not.equal(before.kid);
    expect(await verifies(old, two)).to.equal(true);
    expect(await verifies(await signedBy(await two.signer()), one)).to.equal(true);
  });

  it('stay published while a token they signed can live, and no longer', async () => {
    const keys = await open();
    const old = await signedBy(await keys.signer());
    await keys.rotate();
    clock.forward(3600);
    expect(await verifies(old, keys)).to.equal(true);
    clock.forward(301);
    expect(await verifies(old, keys)).to.equal(false);
    await keys.rotate();
    expect((await keys.keySet()).keys).to.have.length(3);
  });

  it('stay one current and one next key when two replicas rotate at once', async () => {
    const [one, two] = await Promise.all([open(), open()]);
    await Promise.all([one.rotate(), two.rotate()]);
    const ring = await createKeyRingStore(table).get();
    expect(ring?.keys.map(({ state }) => state)).to.deep.equal(['retired', 'retired', 'current', 'next']);
  });

  it('go on being published, but not signing, when the table is away for long', async () => {
    const reachable = createKeyRingStore(table);
    let away = false;
    const store = { ...reachable, get: () => (away ? Promise.reject(new Error('away')) : reachable.get()) };
    const keys = await openSigningKeys({ store, envelope: envelopeOf(key), clock });
    away = true;
    clock.forward(30);
    expect((await keys.signer()).kid).to.be.a('string');
    clock.forward(31);
    expect((await keys.keySet()).keys).to.have.length(2);
    const failure = await keys.signer().then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure).to.have.property('code', 'UNAVAILABLE');
  });

  it('are made anew where they vanished with their table, the same on all replicas, and sign at once', async () => {
    const replicas = await Promise.all([open(), open(), open()]);
    const before = await replicas[0].signer();
    const old = await signedBy(before);
    await dynamo.remake(table.tableName);
    clock.forward(3);
    const signers = await Promise.all(replicas.map((keys) => keys.signer()));
    expect(new Set(signers.map(({ kid }) => kid)).size).to.equal(1);
    expect(signers[0]!.kid).not.to.equal(before.kid);
    for (const keys of replicas) {
      expect(await verifies(await signedBy(signers[0]!), keys)).to.equal(true);
      expect(await verifies(old, keys)).to.equal(false);
    }
  });

  it('can be rotated and sealed anew right after that', async () => {
    for (const act of ['rotate', 'reseal'] as const) {
      const keys = await open();
      await dynamo.remake(table.tableName);
      await keys[act]();
      expect((await keys.keySet()).keys).to.have.length(act === 'rotate' ? 3 : 2);
    }
  });

  it('stay missing where they alone were deleted, and every answer says so', async () => {
    const [keys, other] = [await open(), await open()];
    // Once more after a loss of the table, which both noticed: the one that made the new ring and the one that did not.
    for (const isFirstTable of [true, false]) {
      if (!isFirstTable) await dynamo.remake(table.tableName);
      clock.forward(3);
      await Promise.all([keys.signer(), other.signer()]);
      const taken = await table.take({ pk: 'SIGNING_KEYS', sk: 'RING' });
      clock.forward(61);
      const calls = [keys.signer(), other.signer(), keys.rotate(), other.reseal()];
      for (const outcome of await Promise.allSettled<unknown>(calls)) {
        const failure: unknown = outcome.status === 'rejected' ? outcome.reason : null;
        expect(failure).to.have.property('code', 'UNAVAILABLE');
        expect(String(failure)).to.include('signing keys were deleted from the auth table');
      }
      expect((await keys.keySet()).keys).to.have.length(2);
      expect(await createKeyRingStore(table).get()).to.equal(null);
      await table.put({ ...taken!, expiresAtS: null });
      clock.forward(3);
      expect((await other.signer()).kid).to.equal((await keys.signer()).kid);
    }
  });
});
