import { SignInProblemCode } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import { createTokenVerifier } from '@penstock/common/token/verifier.ts';
import { expect } from 'chai';
import type { JSONWebKeySet } from 'jose';
import { createPendingStore } from '../../src/store/pending.ts';
import { pendingTotpContext } from '../../src/users/totp.ts';
import { issuer } from '../support/auth-server.ts';
import type { TestReplica } from '../support/auth-server.ts';
import { envelopeOf } from '../support/envelope.ts';
import { newKey, oldId, oldKey, useRotation } from '../support/rotation.ts';
import {
  authorized,
  begunSignIn,
  codeIn,
  codeOf,
  formOf,
  granted,
  newBrowser,
  newPkce,
  newUser,
  redeem,
  redirectOf,
  refresh,
  register,
  remoteAddress,
  signIn,
} from '../support/sign-in.ts';

describe('Key-encryption keys', function () {
  this.timeout(90_000);
  const pkce = newPkce();
  const rotation = useRotation();
  const reencrypt = (replica: TestReplica) => replica.admin.reencryptSecrets({}, replica.operator);

  it('are replaced step by step, a replica at a time, without an end to a token or a refused sign-in', async () => {
    const { first, tenantId, user, clock, start, signsIn, dump } = rotation();
    const api = await first.admin.createClient({ tenantId, name: 'c' }, first.operator);
    const credentials = { clientId: api.client?.clientId ?? '', clientSecret: api.clientSecret };
    const rest = await first.tokens.issueToken(credentials);
    const clientId = await register(first);
    const code = codeIn(await authorized(first, { clientId, pkce, user, clock }));
    let mcp = granted(await redeem(first, { clientId, code, verifier: pkce.verifier }));
    let made = user;

    async function goesOn(replica: TestReplica): Promise<void> {
      const { jwksJson } = await replica.tokens.getKeySet({});
      const keySet = JSON.parse(jwksJson) as JSONWebKeySet;
      const verifier = createTokenVerifier({ issuer, fetchKeySet: async () => keySet });
      expect((await verifier.verify(rest.accessToken)).tenantId).to.equal(tenantId);
      await replica.tokens.refreshToken({ refreshToken: rest.refreshToken });
      mcp = granted(await refresh(replica, { clientId, refreshToken: mcp.refreshToken ?? '' }));
      await replica.oauth.verifyAccessToken({ accessToken: mcp.accessToken });
      for (const each of [user, made]) expect(await signsIn(replica, each)).to.equal(true);
      made = await newUser(replica, tenantId);
    }

    const running = [first, await start(oldKey)];
    for (const keys of [[oldKey, newKey], [newKey, oldKey], [newKey]]) {
      if (keys.length === 1) expect((await reencrypt(running[1]!)).stillInUse).to.deep.equal([]);
      for (const at of [0, 1]) {
        running[at] = await start(...keys);
        for (const replica of running) await goesOn(replica);
      }
    }
    expect(await dump()).not.to.include(`v2.${oldId}`);
  });

  it('taken out too early end the start, which says which one is missing and what to do', async () => {
    const { start, failureOfStart } = rotation();
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

  it('that are lost can be left behind by deleting what lists them: their users then enroll anew', async () => {
    const { table, user, start, clock } = rotation();
    for (const key of [
      { pk: 'SIGNING_KEYS', sk: 'RING' },
      { pk: 'SEALING_KEYS', sk: 'IDS' },
    ]) {
      await table.take(key);
    }
    const alone = await start(newKey);
    expect(await reencrypt(alone)).to.deep.include({ unreadable: 1, stillInUse: [] });
    const clientId = await register(alone);
    const browser = newBrowser();
    const id = await begunSignIn(alone, browser, { clientId, pkce });
    // As for somebody who does not exist.
    const { problem } = await signIn(alone, browser, id, user, clock);
    expect(problem?.code).to.equal(SignInProblemCode.WRONG_CREDENTIALS);
    const { enrollUrl } = await alone.admin.reenrollUser({ userId: user.userId }, alone.operator);
    const value = new URL(enrollUrl).searchParams.get('token') ?? '';
    const subject = { subject: { case: 'enrollmentToken' as const, value } };
    const { secret } = await alone.login.beginTotpEnrollment({ subject });
    const enrolled = await alone.login.enrollTotp({ subject, code: codeOf(secret, clock) });
    expect(enrolled.problem).to.equal(undefined);
    const back = await signIn(alone, browser, id, { ...user, totpSecret: secret }, clock);
    expect(back.problem).to.equal(undefined);
  });

  it('change without losing a sign-in that is under way', async () => {
    const { user, clock, start } = rotation();
    const [behind, ahead] = [await start(oldKey, newKey), await start(newKey, oldKey)];
    const clientId = await register(behind);
    const browser = newBrowser();
    const id = await begunSignIn(behind, browser, { clientId, pkce });
    const oldForm = await formOf(behind, browser, id);
    clock.forward(30);
    const { problem, setCookies } = await ahead.login.signInWithPassword({
      form: oldForm,
      email: user.email,
      password: user.password,
      code: codeOf(user.totpSecret, clock),
      remoteAddress,
    });
    expect(problem).to.equal(undefined);
    browser.take(setCookies);
    const form = await formOf(ahead, browser, id);
    expect(form.csrfToken).not.to.equal(oldForm.csrfToken);
    // The browser has a cookie of either key now, and may come to either replica.
    expect((await formOf(behind, browser, id)).csrfToken).not.to.equal(oldForm.csrfToken);
    const done = redirectOf(browser, await ahead.login.decideConsent({ form, allow: true }));
    expect(done.searchParams.get('code')).to.be.a('string');
    // Its cookie is gone, whichever key it was made with.
    expect([...browser.jar.keys()].filter((name) => name.includes('sign-in'))).to.deep.equal([]);
    const second = newBrowser();
    const other = await begunSignIn(ahead, second, { clientId, pkce });
    expect((await formOf(behind, second, other)).csrfToken).to.be.a('string');
  });

  it('do not open the secret of one user in the record of another', async () => {
    const { first, tenantId, user, users, start, sealedOf, signsIn } = rotation();
    const thief = await newUser(first, tenantId);
    const stolen = await sealedOf(thief);
    await users.update(user.userId, (current) => ({ ...current, sealedTotpSecret: stolen }));
    expect(await signsIn(first, { ...user, totpSecret: thief.totpSecret })).to.equal(false);
    expect(await signsIn(first, thief)).to.equal(true);
    const both = await start(newKey, oldKey);
    expect(await reencrypt(both)).to.include({ totpSecrets: 1, unreadable: 1 });
    expect(await signsIn(both, { ...user, totpSecret: thief.totpSecret })).to.equal(false);
  });

  it('do not open a secret that waits for its first code in the record of its user', async () => {
    const { first, table, user, users, signsIn } = rotation();
    const subject = { subject: { case: 'enrollmentToken' as const, value: user.enrollmentToken } };
    const { secret } = await first.login.beginTotpEnrollment({ subject });
    const pending = await createPendingStore(table).get(`totp:${user.enrollmentToken}`);
    expect(envelopeOf(oldKey).open(pending ?? '', pendingTotpContext(user.userId))).to.equal(secret);
    await users.update(user.userId, (current) => ({ ...current, sealedTotpSecret: pending }));
    expect(await signsIn(first, { ...user, totpSecret: secret })).to.equal(false);
  });
});
