import { randomBytes } from 'node:crypto';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { expect } from 'chai';
import { createEnvelope } from '../../src/keys/envelope.ts';
import { createReencrypt } from '../../src/keys/reencrypt.ts';
import { createSealingKeys } from '../../src/keys/sealing-keys.ts';
import { createKeyRingStore } from '../../src/store/key-rings.ts';
import { createTenantStore } from '../../src/store/tenants.ts';
import { totpContext } from '../../src/users/totp.ts';
import type { TestReplica } from '../support/auth-server.ts';
import { envelopeOf } from '../support/envelope.ts';
import { sealWithoutKeyId } from '../support/legacy-seal.ts';
import { newId, newKey, oldId, oldKey, useRotation } from '../support/rotation.ts';
import { newUser } from '../support/sign-in.ts';
import type { TestUser } from '../support/sign-in.ts';

describe('Re-encryption', function () {
  this.timeout(90_000);
  const rotation = useRotation();
  const reencrypt = (replica: TestReplica) => replica.admin.reencryptSecrets({}, replica.operator);

  it('leaves nothing under the old key, which can be taken out then', async () => {
    const { first, tenantId, user, start, signsIn, dump } = rotation();
    const other = await newUser(first, tenantId);
    expect(await reencrypt(await start(newKey, oldKey))).to.deep.include({
      keyId: newId,
      signingKeys: 2,
      totpSecrets: 2,
      unreadable: 0,
      stillInUse: [],
    });
    expect(await dump())
      .to.include(`v2.${newId}.`)
      .and.not.include(oldId);
    const alone = await start(newKey);
    for (const each of [user, other]) expect(await signsIn(alone, each)).to.equal(true);
    const api = await alone.admin.createClient({ tenantId, name: 'c' }, alone.operator);
    const credentials = { clientId: api.client?.clientId ?? '', clientSecret: api.clientSecret };
    expect((await alone.tokens.issueToken(credentials)).accessToken).to.be.a('string');
  });

  it('can be done twice, also at once, and finds nothing the second time', async () => {
    const { user, start, sealedOf } = rotation();
    const both = await start(newKey, oldKey);
    const [one, two] = await Promise.all([reencrypt(both), reencrypt(both)]);
    expect([one.stillInUse, two.stillInUse]).to.deep.equal([[], []]);
    const before = await sealedOf(user);
    expect(await reencrypt(both)).to.include({ signingKeys: 0, totpSecrets: 0, unreadable: 0 });
    expect(await sealedOf(user)).to.equal(before);
  });

  it('also takes what was sealed before values and tables named their keys', async () => {
    const { table, user, users, keysInUse, start, failureOfStart, signsIn } = rotation();
    await users.update(user.userId, (current) => ({
      ...current,
      sealedTotpSecret: sealWithoutKeyId(oldKey, user.totpSecret, totpContext(user.userId)),
    }));
    await createKeyRingStore(table).update(async ({ keys }) => ({
      keys: keys.map((key) => {
        const secret = envelopeOf(oldKey).open(key.sealedPrivateKey, key.kid);
        return { ...key, sealedPrivateKey: sealWithoutKeyId(oldKey, secret, key.kid) };
      }),
    }));
    await table.take({ pk: 'SEALING_KEYS', sk: 'IDS' });
    expect(await failureOfStart(newKey)).to.include('does not open the signing keys');
    expect(await keysInUse.get()).to.equal(null);
    const both = await start(newKey, oldKey);
    expect(await failureOfStart(newKey))
      .to.include('PENSTOCK_KEY_ENCRYPTION_KEY lacks')
      .and.include(oldId);
    expect(await signsIn(both, user)).to.equal(true);
    expect(await reencrypt(both)).to.include({ signingKeys: 2, totpSecrets: 1 });
    expect(await signsIn(await start(newKey), user)).to.equal(true);
  });

  it('that broke off half-way still needs the old key, and can be done again', async () => {
    const { keysInUse, start, failureOfStart } = rotation();
    const both = await start(newKey, oldKey);
    await keysInUse.update(() => ({ keyIds: [newId], retiring: [oldId] }));
    expect(await failureOfStart(newKey)).to.include(oldId);
    await reencrypt(both);
    expect(await failureOfStart(newKey)).to.equal('none');
  });

  it('is broken off when its caller is gone, and leaves the old key in use', async () => {
    const { table, user, users, keysInUse, sealedOf } = rotation();
    const sealingKeys = createSealingKeys(keysInUse, [newId, oldId]);
    const beforeSealing = (keyId: string): Promise<void> => sealingKeys.use(keyId);
    const reencryptHere = createReencrypt({
      sealingKeys,
      keys: { reseal: async () => 0 },
      users,
      tenants: createTenantStore(table),
      envelope: createEnvelope({ keys: [newKey, oldKey], beforeSealing }),
    });
    const call = { signal: AbortSignal.abort(), logger: createLogger({ service: 'auth', level: 'silent' }) };
    const ended = await reencryptHere(call).then(
      () => 'done',
      (error: Error) => error.name,
    );
    expect(ended).to.equal('AbortError');
    expect(await keysInUse.get()).to.deep.equal({ keyIds: [newId], retiring: [oldId] });
    expect(await sealedOf(user)).to.include(oldId);
  });

  it('is not enough where a replica goes on sealing under the old key, which is noticed', async () => {
    const { tenantId, start, failureOfStart, sealedOf, signsIn } = rotation();
    const [both, behind] = [await start(newKey, oldKey), await start(oldKey, newKey)];
    await reencrypt(both);
    const late = await newUser(behind, tenantId);
    expect(await sealedOf(late)).to.include(oldId);
    expect(await failureOfStart(newKey)).to.include(oldId);
    expect(await reencrypt(both)).to.deep.include({ totpSecrets: 1, stillInUse: [] });
    expect(await signsIn(await start(newKey), late)).to.equal(true);
  });

  it('goes on beside replicas that enroll and rotate', async () => {
    const { tenantId, start, sealedOf, signsIn } = rotation();
    const [both, behind] = [await start(newKey, oldKey), await start(oldKey, newKey)];
    const made: TestUser[] = [];
    const enroll = async (): Promise<void> => {
      for (let count = 0; count < 5; count += 1) made.push(await newUser(behind, tenantId));
    };
    const rotate = async (): Promise<void> => {
      for (let count = 0; count < 3; count += 1) await behind.admin.rotateSigningKey({}, behind.operator);
    };
    await Promise.all([enroll(), rotate(), reencrypt(both)]);
    await reencrypt(both);
    const alone = await start(newKey);
    for (const each of made) expect(await sealedOf(each)).to.include(newId);
    expect(await signsIn(alone, made[0]!)).to.equal(true);
    await alone.admin.rotateSigningKey({}, alone.operator);
  });

  it('counts secrets that no key opens, names their users in the log, and leaves them', async () => {
    const { first, tenantId, users, start, sealedOf } = rotation();
    const lost = await newUser(first, tenantId);
    const sealed = await envelopeOf(randomBytes(32)).seal(lost.totpSecret, totpContext(lost.userId));
    await users.update(lost.userId, (current) => ({ ...current, sealedTotpSecret: sealed }));
    const both = await start(newKey, oldKey);
    expect(await reencrypt(both)).to.deep.include({ totpSecrets: 1, unreadable: 1, stillInUse: [] });
    expect(both.logged()).to.include(lost.userId).and.not.include(lost.totpSecret);
    expect(await sealedOf(lost)).to.equal(sealed);
  });
});
