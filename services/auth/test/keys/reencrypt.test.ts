import { randomBytes } from 'node:crypto';
import { SignInProblemCode } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import { expect } from 'chai';
import { keyIdOf } from '../../src/keys/envelope.ts';
import { createKeyRingStore } from '../../src/store/key-rings.ts';
import { createPrincipalStore } from '../../src/store/principals.ts';
import { recordsIn } from '../../src/store/records.ts';
import { createSealingKeyStore } from '../../src/store/sealing-keys.ts';
import type { AuthTable } from '../../src/store/table.ts';
import { totpContext } from '../../src/users/totp.ts';
import { userSchema } from '../../src/users/user.ts';
import { startReplica } from '../support/auth-server.ts';
import type { TestReplica } from '../support/auth-server.ts';
import { movableClock } from '../support/clock.ts';
import type { MovableClock } from '../support/clock.ts';
import { startTestDynamo } from '../support/dynamodb.ts';
import type { TestDynamo } from '../support/dynamodb.ts';
import { envelopeOf } from '../support/envelope.ts';
import { sealWithoutKeyId } from '../support/legacy-seal.ts';
import {
  authorize,
  authorized,
  codeOf,
  formOf,
  interactionIdOf,
  newBrowser,
  newPkce,
  newUser,
  redirectOf,
  register,
  remoteAddress,
  signIn,
} from '../support/sign-in.ts';
import type { TestUser } from '../support/sign-in.ts';

const { WRONG_CREDENTIALS } = SignInProblemCode;

describe('Rotating the key-encryption key', function () {
  this.timeout(30_000);
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  const [oldId, newId] = [keyIdOf(oldKey), keyIdOf(newKey)];
  const pkce = newPkce();
  let dynamo: TestDynamo;
  let clock: MovableClock;
  let table: AuthTable & { readonly tableName: string };
  let replicas: TestReplica[];
  let tenantId: string;
  let user: TestUser;

  async function start(...keys: Uint8Array[]): Promise<TestReplica> {
    const replica = await startReplica({ table, clock, keyEncryptionKeys: keys });
    replicas.push(replica);
    return replica;
  }
  const failureOfStart = async (...keys: Uint8Array[]): Promise<string> =>
    start(...keys).then(
      () => 'none',
      (error: unknown) => String(error),
    );
  const users = () => createPrincipalStore(table, 'USER', userSchema);
  const sealedOf = async (userId: string): Promise<string> =>
    (await users().get(userId))?.sealedTotpSecret ?? '';
  const reencrypt = (replica: TestReplica) => replica.admin.reencryptSecrets({}, replica.operator);
  const keysInUse = () => createSealingKeyStore(table).get();

  before(async () => {
    dynamo = await startTestDynamo();
  });
  beforeEach(async () => {
    clock = movableClock();
    table = await dynamo.table(clock);
    replicas = [];
    const first = await start(oldKey);
    ({ tenantId } = await first.admin.createTenant({ name: 'Acme' }, first.operator));
    user = await newUser(first, tenantId);
  });
  afterEach(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
  });
  after(() => dynamo.close());

  async function signsIn(replica: TestReplica, who: TestUser = user): Promise<boolean> {
    const clientId = await register(replica);
    return authorized(replica, { clientId, pkce, user: who, clock }).then(
      () => true,
      () => false,
    );
  }

  it('leaves nothing under the old key, which can be taken out then', async () => {
    const other = await newUser(replicas[0]!, tenantId);
    const both = await start(newKey, oldKey);
    expect(await reencrypt(both)).to.deep.include({
      keyId: newId,
      signingKeys: 2,
      totpSecrets: 2,
      unreadable: 0,
      stillInUse: [],
    });
    const dump = await dynamo.dump(table.tableName);
    expect(dump).to.include(`v2.${newId}.`).and.not.include(oldId);
    const alone = await start(newKey);
    for (const each of [user, other]) expect(await signsIn(alone, each)).to.equal(true);
    expect((await alone.admin.listSigningKeys({}, alone.operator)).keys).to.have.length(2);
    const api = await alone.admin.createClient({ tenantId, name: 'c' }, alone.operator);
    const credentials = { clientId: api.client?.clientId ?? '', clientSecret: api.clientSecret };
    expect((await alone.tokens.issueToken(credentials)).accessToken).to.be.a('string');
  });

  it('can be done twice, also at once, and finds nothing the second time', async () => {
    const both = await start(newKey, oldKey);
    const [one, two] = await Promise.all([reencrypt(both), reencrypt(both)]);
    expect([one.stillInUse, two.stillInUse]).to.deep.equal([[], []]);
    const before = await sealedOf(user.userId);
    expect(await reencrypt(both)).to.include({ signingKeys: 0, totpSecrets: 0, unreadable: 0 });
    expect(await sealedOf(user.userId)).to.equal(before);
  });

  it('also takes what was sealed before values named their key', async () => {
    await users().update(user.userId, (current) => ({
      ...current,
      sealedTotpSecret: sealWithoutKeyId(oldKey, user.totpSecret, totpContext(user.userId)),
    }));
    await createKeyRingStore(table).update(async ({ keys }) => ({
      keys: keys.map((key) => ({
        ...key,
        sealedPrivateKey: sealWithoutKeyId(
          oldKey,
          envelopeOf(oldKey).open(key.sealedPrivateKey, key.kid),
          key.kid,
        ),
      })),
    }));
    // A table of that time names no keys either.
    await recordsIn(table, userSchema.pick({})).take({ pk: 'SEALING_KEYS', sk: 'IDS' });
    expect(await failureOfStart(newKey)).to.include('does not open the signing keys');
    expect(await keysInUse()).to.equal(null);
    const both = await start(newKey, oldKey);
    expect(await failureOfStart(newKey))
      .to.include('PENSTOCK_KEY_ENCRYPTION_KEY lacks')
      .and.include(oldId);
    expect(await signsIn(both)).to.equal(true);
    expect(await reencrypt(both)).to.include({ signingKeys: 2, totpSecrets: 1 });
    expect(await signsIn(await start(newKey))).to.equal(true);
  });

  it('without re-encryption ends the start, with what is missing and what to do', async () => {
    await start(newKey, oldKey);
    const failure = await failureOfStart(newKey);
    expect(failure)
      .to.include('PENSTOCK_KEY_ENCRYPTION_KEY lacks keys')
      .and.include(oldId)
      .and.include('key re-encrypt');
    for (const key of [oldKey, newKey]) expect(failure).not.to.include(key.toString('base64'));
    // The way out that it names.
    expect((await reencrypt(await start(newKey, oldKey))).stillInUse).to.deep.equal([]);
    expect(await failureOfStart(newKey)).to.equal('none');
  });

  it('that broke off half-way still needs the old key', async () => {
    const both = await start(newKey, oldKey);
    await createSealingKeyStore(table).update(() => ({ keyIds: [newId], retiring: [oldId] }));
    expect(await failureOfStart(newKey)).to.include(oldId);
    await reencrypt(both);
    expect(await failureOfStart(newKey)).to.equal('none');
  });

  it('notices a replica that goes on sealing under the old key', async () => {
    const [late] = replicas;
    const both = await start(newKey, oldKey);
    const lateWithBoth = await start(oldKey, newKey);
    await reencrypt(both);
    const lateUser = await newUser(lateWithBoth, tenantId);
    expect(await sealedOf(lateUser.userId)).to.include(oldId);
    expect(await failureOfStart(newKey)).to.include(oldId);
    await late?.close();
    expect(await reencrypt(both)).to.deep.include({ totpSecrets: 1, stillInUse: [] });
    expect(await signsIn(await start(newKey), lateUser)).to.equal(true);
  });

  it('goes on beside replicas that enrol and rotate', async () => {
    const [both, ahead] = [await start(newKey, oldKey), await start(oldKey, newKey)];
    const made: TestUser[] = [];
    const enrol = async (): Promise<void> => {
      for (let count = 0; count < 5; count += 1) made.push(await newUser(ahead, tenantId));
    };
    const rotate = async (): Promise<void> => {
      for (let count = 0; count < 3; count += 1) await ahead.admin.rotateSigningKey({}, ahead.operator);
    };
    await Promise.all([enrol(), rotate(), reencrypt(both)]);
    await reencrypt(both);
    const alone = await start(newKey);
    for (const each of made) expect(await sealedOf(each.userId)).to.include(newId);
    expect(await signsIn(alone, made[0])).to.equal(true);
    await alone.admin.rotateSigningKey({}, alone.operator);
  });

  it('counts secrets that no key opens, leaves them, and tells a stranger nothing', async () => {
    const lost = await newUser(replicas[0]!, tenantId);
    await users().update(lost.userId, async (current) => ({
      ...current,
      sealedTotpSecret: await envelopeOf(randomBytes(32)).seal(lost.totpSecret, totpContext(lost.userId)),
    }));
    const both = await start(newKey, oldKey);
    expect(await reencrypt(both)).to.include({ totpSecrets: 1, unreadable: 1 });
    expect(both.logged()).to.include(lost.userId).and.not.include(lost.totpSecret);
    const clientId = await register(both);
    const browser = newBrowser();
    const id = interactionIdOf(redirectOf(browser, await authorize(both, browser, { clientId, pkce })));
    expect((await signIn(both, browser, id, lost, clock)).problem?.code).to.equal(WRONG_CREDENTIALS);
    expect(await signsIn(both)).to.equal(true);
  });

  it('does not open the secret of one user in the record of another', async () => {
    const [replica] = replicas;
    const thief = await newUser(replica!, tenantId);
    const stolen = await sealedOf(thief.userId);
    await users().update(user.userId, (current) => ({ ...current, sealedTotpSecret: stolen }));
    const clientId = await register(replica!);
    const browser = newBrowser();
    const step = await authorize(replica!, browser, { clientId, pkce });
    const id = interactionIdOf(redirectOf(browser, step));
    clock.forward(30);
    const { problem } = await replica!.login.signInWithPassword({
      form: await formOf(replica!, browser, id),
      email: user.email,
      password: user.password,
      code: codeOf(thief.totpSecret, clock),
      remoteAddress,
    });
    expect(problem?.code).to.equal(WRONG_CREDENTIALS);
    const both = await start(newKey, oldKey);
    expect(await reencrypt(both)).to.include({ totpSecrets: 1, unreadable: 1 });
  });

  it('loses no sign-in that is under way', async () => {
    const ahead = await start(oldKey, newKey);
    const clientId = await register(ahead);
    const browser = newBrowser();
    const id = interactionIdOf(redirectOf(browser, await authorize(ahead, browser, { clientId, pkce })));
    const oldForm = await formOf(ahead, browser, id);
    const both = await start(newKey, oldKey);
    clock.forward(30);
    const credentials = { email: user.email, password: user.password, remoteAddress };
    const code = codeOf(user.totpSecret, clock);
    expect((await both.login.signInWithPassword({ form: oldForm, ...credentials, code })).problem).to.equal(
      undefined,
    );
    const form = await formOf(both, browser, id);
    expect(form.csrfToken).not.to.equal(oldForm.csrfToken);
    const done = redirectOf(browser, await both.login.decideConsent({ form, allow: true }));
    expect(done.searchParams.get('code')).to.be.a('string');
    // Its cookie is gone, whichever key it was made with; and a replica of the step before takes what this one made.
    expect([...browser.jar.keys()].filter((name) => name.includes('sign-in'))).to.deep.equal([]);
    const second = newBrowser();
    const other = interactionIdOf(redirectOf(second, await authorize(both, second, { clientId, pkce })));
    expect((await formOf(ahead, second, other)).csrfToken).to.be.a('string');
  });
});
