import { SignInProblemCode } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import { expect } from 'chai';
import { createPasskeyStore } from '../../src/store/passkeys.ts';
import { newAuthenticator } from '../support/authenticator.ts';
import { failureOf } from '../support/auth-server.ts';
import {
  authorize,
  authorized,
  brief,
  codeIn,
  codeOf,
  formOf,
  granted,
  interactionIdOf,
  newBrowser,
  newPkce,
  newUser,
  pageOf,
  redeem,
  redirectOf,
  refresh,
  refusalOf,
  register,
  remoteAddress,
  signIn,
} from '../support/sign-in.ts';
import type { TestBrowser } from '../support/sign-in.ts';
import { useStage } from '../support/stage.ts';

const { WRONG_CREDENTIALS, PASSKEY_REFUSED } = SignInProblemCode;
const origin = 'http://mcp.test';

describe('A user who lost their devices', function () {
  this.timeout(90_000);
  const pkce = newPkce();
  const stage = useStage();
  let clientId: string;

  beforeEach(async () => {
    clientId = await register(stage.one);
  });

  const subjectOf = (token: string) => ({ subject: { case: 'enrollmentToken' as const, value: token } });
  const tokenIn = (enrollUrl: string): string => new URL(enrollUrl).searchParams.get('token') ?? '';
  async function reenroll(password?: string): Promise<string> {
    const { one, user } = stage;
    const request = { userId: user.userId, ...(password === undefined ? {} : { password }) };
    return tokenIn((await one.admin.reenrollUser(request, one.operator)).enrollUrl);
  }
  async function begin(browser: TestBrowser = newBrowser()) {
    const step = await authorize(stage.one, browser, { clientId, pkce });
    return { browser, id: interactionIdOf(redirectOf(browser, step)) };
  }
  async function enrollPasskey(token: string, authenticator = newAuthenticator(origin)) {
    const { one, two } = stage;
    const subject = subjectOf(token);
    const { optionsJson } = await one.login.beginPasskeyEnrollment({ subject });
    const { problem } = await two.login.enrollPasskey({
      subject,
      responseJson: authenticator.create(optionsJson),
    });
    expect(problem).to.equal(undefined);
    return authenticator;
  }
  async function signInByPasskey(authenticator: ReturnType<typeof newAuthenticator>) {
    const { one } = stage;
    const { browser, id } = await begin();
    const form = await formOf(one, browser, id);
    const { optionsJson } = await one.login.beginPasskeySignIn({ form });
    const responseJson = authenticator.get(optionsJson);
    return (await one.login.signInWithPasskey({ form, responseJson, remoteAddress })).problem?.code;
  }
  async function signInByPassword(change: { code?: string; totpSecret?: string } = {}) {
    const { one, user, clock } = stage;
    const { browser, id } = await begin();
    clock.forward(30);
    const { problem, interaction } = await one.login.signInWithPassword({
      form: await formOf(one, browser, id),
      email: user.email,
      password: user.password,
      code: change.code ?? codeOf(change.totpSecret ?? user.totpSecret, clock),
      remoteAddress,
    });
    return problem?.code ?? interaction?.page.case;
  }

  it('enrolls a passkey or an app by the new link, once, and signs in with it', async () => {
    const { one, two, user, clock } = stage;
    const authenticator = await enrollPasskey(await reenroll());
    expect(await signInByPasskey(authenticator)).to.equal(undefined);

    const token = await reenroll();
    expect(await signInByPasskey(authenticator)).to.equal(PASSKEY_REFUSED);
    const subject = subjectOf(token);
    const shown = await one.login.beginTotpEnrollment({ subject });
    expect(shown.secret).not.to.equal(user.totpSecret);
    const code = codeOf(shown.secret, clock);
    expect((await two.login.enrollTotp({ subject, code })).problem).to.equal(undefined);
    expect(await failureOf(one.login.getEnrollment({ enrollmentToken: token }))).to.include({
      code: 'NOT_FOUND',
    });
    expect(await signInByPassword()).to.equal(WRONG_CREDENTIALS);
    expect(await signInByPassword({ totpSecret: shown.secret })).to.equal('consent');
  });

  it('cannot sign in with what was lost, and the password alone enrolls nothing', async () => {
    const { user } = stage;
    const authenticator = await enrollPasskey(user.enrollmentToken);
    expect(await signInByPasskey(authenticator)).to.equal(undefined);
    expect(await signInByPassword()).to.equal('consent');
    await reenroll();
    expect(await signInByPasskey(authenticator)).to.equal(PASSKEY_REFUSED);
    expect(await signInByPassword()).to.equal(WRONG_CREDENTIALS);
    expect(await signInByPassword({ code: '' })).to.equal(WRONG_CREDENTIALS);
  });

  it('is answered as a stranger until they have enrolled', async () => {
    const { one, clock } = stage;
    await reenroll();
    const stranger = {
      email: 'nobody@example.com',
      password: 'correct horse battery',
      totpSecret: 'A'.repeat(32),
    };
    const answers = [];
    for (const who of [stage.user, { ...stage.user, ...stranger }]) {
      const { browser, id } = await begin();
      const { problem, interaction } = await signIn(one, browser, id, who, clock);
      answers.push({ problem, page: interaction?.page });
    }
    expect(answers[0]).to.deep.equal(answers[1]);
  });

  it('has no living link from before: neither the first nor one of an earlier time', async () => {
    const { one, two, user, clock } = stage;
    const before = subjectOf(user.enrollmentToken);
    const authenticator = newAuthenticator(origin);
    const { optionsJson } = await one.login.beginPasskeyEnrollment({ subject: before });
    const { secret } = await one.login.beginTotpEnrollment({ subject: before });
    const first = await reenroll();
    const second = await reenroll();
    for (const token of [user.enrollmentToken, first]) {
      const subject = subjectOf(token);
      for (const call of [
        () => two.login.getEnrollment({ enrollmentToken: token }),
        () => two.login.beginTotpEnrollment({ subject }),
        () => two.login.enrollTotp({ subject, code: codeOf(secret, clock) }),
        () => two.login.beginPasskeyEnrollment({ subject }),
        () => two.login.enrollPasskey({ subject, responseJson: authenticator.create(optionsJson) }),
      ]) {
        expect(await failureOf(call())).to.include({
          code: 'NOT_FOUND',
          message: 'This link has expired or was used. Ask your administrator for a new one.',
        });
      }
    }
    expect(await two.login.getEnrollment({ enrollmentToken: second })).to.include({ email: user.email });
  });

  it('has no token, refresh token, code, session or sign-in from before', async () => {
    const { one, two, user, clock } = stage;
    const signedIn = newBrowser();
    const code = codeIn(await authorized(one, { browser: signedIn, clientId, pkce, user, clock }));
    const { accessToken, refreshToken = '' } = granted(
      await redeem(one, { clientId, code, verifier: pkce.verifier }),
    );
    const unused = codeIn(await authorized(one, { clientId, pkce, user, clock }));
    const underWay = await begin();
    expect((await signIn(one, underWay.browser, underWay.id, user, clock)).problem).to.equal(undefined);
    const form = await formOf(one, underWay.browser, underWay.id);
    const { internalToken } = await two.oauth.verifyAccessToken({ accessToken });
    expect(internalToken).to.be.a('string');

    await reenroll();
    expect(await failureOf(two.oauth.verifyAccessToken({ accessToken }))).to.include({
      code: 'UNAUTHORIZED',
    });
    const again = await refresh(two, { clientId, refreshToken });
    expect(brief(refusalOf(again))).to.equal('400 invalid_grant');
    const late = await redeem(two, { clientId, code: unused, verifier: pkce.verifier });
    expect(brief(refusalOf(late))).to.equal('400 invalid_grant');
    expect(await failureOf(two.login.decideConsent({ form, allow: true }))).to.include({ code: 'NOT_FOUND' });
    const next = await begin(signedIn);
    expect((await pageOf(two, signedIn, next.id)).page.case).to.equal('signIn');
    // What other services hold of theirs ends by the list of revocations.
    const { revocations } = await two.tokens.listRevocations({});
    expect(
      revocations.map(({ principalId, minimumGeneration }) => [principalId, minimumGeneration]),
    ).to.deep.equal([[user.userId, 2n]]);
  });

  it('leaves no passkey behind, not even one that is enrolled at the same moment', async () => {
    const { one, user, table } = stage;
    const passkeys = createPasskeyStore(table);
    const authenticator = await enrollPasskey(user.enrollmentToken);
    const [ended] = await passkeys.idsOf({ userId: user.userId, enrollment: 1 });
    const kept = await passkeys.get(ended ?? '');
    await reenroll();
    expect(await passkeys.get(ended ?? '')).to.equal(null);
    // As a replica writes it that had read the user before.
    await passkeys.create(kept!);
    expect(await signInByPasskey(authenticator)).to.equal(PASSKEY_REFUSED);
    expect(await passkeys.idsOf({ userId: user.userId, enrollment: 2 })).to.deep.equal([]);
    expect(await passkeys.idsOf({ userId: user.userId, enrollment: 1 })).to.deep.equal([ended]);
    await one.admin.reenrollUser({ userId: user.userId }, one.operator);
    expect(await passkeys.get(ended ?? '')).to.equal(null);
  });

  it('keeps the password, or gets another where one is given', async () => {
    const { one, user, clock } = stage;
    for (const [given, good, bad] of [
      [undefined, user.password, 'a better battery'],
      ['a better battery', 'a better battery', user.password],
    ] as const) {
      const subject = subjectOf(await reenroll(given));
      const { secret } = await one.login.beginTotpEnrollment({ subject });
      await one.login.enrollTotp({ subject, code: codeOf(secret, clock) });
      clock.forward(30);
      const ask = async (password: string) => {
        const { browser, id } = await begin();
        return signIn(one, browser, id, { ...user, password, totpSecret: secret }, clock);
      };
      expect((await ask(bad)).problem?.code).to.equal(WRONG_CREDENTIALS);
      expect((await ask(good)).problem).to.equal(undefined);
    }
  });

  it('is somebody whom only an operator can name', async () => {
    const { one, user } = stage;
    for (const userId of [user.userId, 'usr_nobody']) {
      expect(await failureOf(one.admin.reenrollUser({ userId }))).to.include({ code: 'UNAUTHORIZED' });
    }
    const failure = await failureOf(one.admin.reenrollUser({ userId: 'usr_nobody' }, one.operator));
    expect(failure).to.include({ code: 'NOT_FOUND', message: 'User not found: usr_nobody' });
  });

  describe('and is disabled', () => {
    it('stays so until they are enabled, and enrolls then', async () => {
      const { one, user } = stage;
      await one.admin.disableUser({ userId: user.userId }, one.operator);
      const token = await reenroll();
      expect(await failureOf(enrollPasskey(token))).to.include({ code: 'NOT_FOUND' });
      const enabled = await one.admin.enableUser({ userId: user.userId }, one.operator);
      expect(enabled.status).to.equal('active');
      expect(await signInByPasskey(await enrollPasskey(token))).to.equal(undefined);
    });

    it('signs in as before once they are enabled, while their tokens and links from before stay dead', async () => {
      const { one, two, user, clock } = stage;
      const other = await newUser(one, stage.tenantId);
      const code = codeIn(await authorized(one, { clientId, pkce, user: other, clock }));
      const { accessToken, refreshToken = '' } = granted(
        await redeem(one, { clientId, code, verifier: pkce.verifier }),
      );
      await one.admin.disableUser({ userId: other.userId }, one.operator);
      await one.admin.enableUser({ userId: other.userId }, one.operator);
      expect(await failureOf(two.oauth.verifyAccessToken({ accessToken }))).to.include({
        code: 'UNAUTHORIZED',
      });
      const again = await refresh(two, { clientId, refreshToken });
      expect(brief(refusalOf(again))).to.equal('400 invalid_grant');
      expect(await failureOf(enrollPasskey(other.enrollmentToken))).to.include({ code: 'NOT_FOUND' });
      expect(await authorized(two, { clientId, pkce, user: other, clock })).to.be.instanceOf(URL);
      expect(user.userId).not.to.equal(other.userId);
    });
  });
});
