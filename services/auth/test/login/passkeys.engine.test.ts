import { expect } from 'chai';
import { SignInProblemCode } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import { newAuthenticator } from '../support/authenticator.ts';
import type { AnswerChange, Authenticator } from '../support/authenticator.ts';
import { failureOf } from '../support/auth-server.ts';
import {
  begunSignIn,
  codeIn,
  codeOf,
  formOf,
  newBrowser,
  newPkce,
  newUser,
  redirectOf,
  register,
  remoteAddress,
} from '../support/sign-in.ts';
import type { TestBrowser } from '../support/sign-in.ts';
import { useStage } from '../support/stage.ts';

const origin = 'http://mcp.test';
const { PASSKEY_REFUSED, TOO_MANY_TRIES } = SignInProblemCode;

describe('Passkeys', function () {
  this.timeout(90_000);
  const pkce = newPkce();
  const stage = useStage();
  let browser: TestBrowser;
  let id: string;
  let authenticator: Authenticator;

  beforeEach(async () => {
    const clientId = await register(stage.one);
    browser = newBrowser();
    id = await begunSignIn(stage.one, browser, { clientId, pkce });
    authenticator = newAuthenticator(origin);
  });

  const link = (token = stage.user.enrollmentToken) => ({
    subject: { case: 'enrollmentToken' as const, value: token },
  });
  async function enroll(change: AnswerChange = {}, token?: string) {
    const subject = link(token);
    const { optionsJson } = await stage.one.login.beginPasskeyEnrollment({ subject });
    const responseJson = authenticator.create(optionsJson, change);
    return (await stage.two.login.enrollPasskey({ subject, responseJson })).problem;
  }
  async function options(): Promise<string> {
    const form = await formOf(stage.one, browser, id);
    return (await stage.one.login.beginPasskeySignIn({ form })).optionsJson;
  }
  async function answer(responseJson: string) {
    const form = await formOf(stage.two, browser, id);
    const step = await stage.two.login.signInWithPasskey({ form, responseJson, remoteAddress });
    browser.take(step.setCookies);
    return step;
  }

  it('are enrolled by the link that an administrator gave, and sign in', async () => {
    expect(await stage.one.login.getEnrollment({ enrollmentToken: stage.user.enrollmentToken })).to.include({
      email: stage.user.email,
      totpOffered: true,
    });
    expect(await enroll()).to.equal(undefined);
    const { problem, interaction } = await answer(authenticator.get(await options()));
    expect(problem).to.equal(undefined);
    expect(interaction?.page.case).to.equal('consent');
    const form = await formOf(stage.one, browser, id);
    codeIn(redirectOf(browser, await stage.one.login.decideConsent({ form, allow: true })));
  });

  it('are asked for with user verification, on the host of the MCP URL, naming nobody', async () => {
    const asked = JSON.parse(await options()) as Record<string, unknown>;
    expect(asked).to.include({ rpId: 'mcp.test', userVerification: 'required' });
    expect(asked['allowCredentials']).to.equal(undefined);
    const { optionsJson } = await stage.one.login.beginPasskeyEnrollment({ subject: link() });
    const made = JSON.parse(optionsJson) as Record<string, unknown>;
    expect(made['rp']).to.deep.equal({ id: 'mcp.test', name: 'Penstock' });
    const { email } = stage.user;
    expect(made['user']).to.deep.include({ name: email, displayName: `${email} (Acme)` });
    expect(made['authenticatorSelection']).to.include({
      userVerification: 'required',
      residentKey: 'required',
    });
  });

  describe('of an enrollment link', () => {
    it('are enrolled once', async () => {
      expect(await enroll()).to.equal(undefined);
      expect(await failureOf(enroll())).to.include({ code: 'NOT_FOUND' });
      const { enrollmentToken } = stage.user;
      expect(await failureOf(stage.one.login.getEnrollment({ enrollmentToken }))).to.include({
        code: 'NOT_FOUND',
      });
    });
    it('are not enrolled after a week, nor for a disabled user, nor by an invented link', async () => {
      const other = await newUser(stage.one, stage.tenantId);
      await stage.one.admin.disableUser({ userId: other.userId }, stage.one.operator);
      expect(await failureOf(enroll({}, other.enrollmentToken))).to.include({ code: 'NOT_FOUND' });
      expect(await failureOf(enroll({}, 'pst_en_invented'))).to.include({ code: 'NOT_FOUND' });
      stage.clock.forward(7 * 86_400 + 1);
      expect(await failureOf(enroll())).to.include({ code: 'NOT_FOUND' });
    });
    it('can be tried again when an answer does not fit', async () => {
      for (const change of [
        { origin: 'http://evil.test' },
        { rpId: 'evil.test' },
        { userVerified: false },
        { challenge: 'AAAA' },
      ]) {
        expect((await enroll(change))?.code, JSON.stringify(change)).to.equal(PASSKEY_REFUSED);
      }
      expect(await enroll()).to.equal(undefined);
    });
    it('belong to one user', async () => {
      expect(await enroll()).to.equal(undefined);
      const other = await newUser(stage.one, stage.tenantId);
      expect((await enroll({}, other.enrollmentToken))?.code).to.equal(PASSKEY_REFUSED);
    });
  });

  describe('are refused at sign-in', () => {
    const wrong: Record<string, AnswerChange> = {
      'from another origin': { origin: 'http://evil.test' },
      'for another host': { rpId: 'evil.test' },
      'without user verification': { userVerified: false },
      'for another challenge': { challenge: 'AAAA' },
      'for another user': { userHandle: Buffer.from('usr_other').toString('base64url') },
    };
    for (const [what, change] of Object.entries(wrong)) {
      it(what, async () => {
        await enroll();
        const { problem, interaction } = await answer(authenticator.get(await options(), change));
        expect(problem?.code).to.equal(PASSKEY_REFUSED);
        expect(interaction?.page.case).to.equal('signIn');
      });
    }

    it('where nobody enrolled them, or the answer is none', async () => {
      for (const responseJson of [newAuthenticator(origin).get(await options()), '', '{}', '[]', 'null']) {
        expect((await answer(responseJson)).problem?.code).to.equal(PASSKEY_REFUSED);
      }
    });

    it('when the answer is replayed', async () => {
      await enroll();
      const responseJson = authenticator.get(await options());
      expect((await answer(responseJson)).problem).to.equal(undefined);
      expect((await answer(responseJson)).problem?.code).to.equal(PASSKEY_REFUSED);
    });

    it('when the counter does not move on, as that of a copied key', async () => {
      await enroll();
      expect((await answer(authenticator.get(await options(), { counter: 5 }))).problem).to.equal(undefined);
      for (const counter of [5, 4, 0]) {
        const { problem } = await answer(authenticator.get(await options(), { counter }));
        expect(problem?.code, String(counter)).to.equal(PASSKEY_REFUSED);
      }
      expect((await answer(authenticator.get(await options(), { counter: 6 }))).problem).to.equal(undefined);
    });

    it('after five minutes', async () => {
      await enroll();
      const responseJson = authenticator.get(await options());
      stage.clock.forward(301);
      expect((await answer(responseJson)).problem?.code).to.equal(PASSKEY_REFUSED);
    });

    it('when the user is disabled', async () => {
      await enroll();
      await stage.one.admin.disableUser({ userId: stage.user.userId }, stage.one.operator);
      expect((await answer(authenticator.get(await options()))).problem?.code).to.equal(PASSKEY_REFUSED);
    });

    it('after a hundred wrong ones from the address', async () => {
      const form = await formOf(stage.two, browser, id);
      const nonsense = () => stage.two.login.signInWithPasskey({ form, responseJson: '{}', remoteAddress });
      for (let i = 0; i < 100; i += 1) expect((await nonsense()).problem?.code).to.equal(PASSKEY_REFUSED);
      expect((await nonsense()).problem?.code).to.equal(TOO_MANY_TRIES);
    });
  });

  it('of authenticators without a counter go on working', async () => {
    await enroll();
    for (let i = 0; i < 2; i += 1) {
      const { problem } = await answer(authenticator.get(await options(), { counter: 0 }));
      expect(problem).to.equal(undefined);
    }
  });

  it('an enrollment link can give a new authenticator app instead', async () => {
    const subject = link();
    const shown = await stage.one.login.beginTotpEnrollment({ subject });
    expect(await stage.two.login.beginTotpEnrollment({ subject })).to.deep.equal(shown);
    expect(shown.otpauthUrl).to.match(/^otpauth:\/\/totp\/Penstock:/);
    const wrong = await stage.one.login.enrollTotp({ subject, code: '000000' });
    expect(wrong.problem?.code).to.equal(SignInProblemCode.WRONG_CODE);
    const code = codeOf(shown.secret, stage.clock);
    expect((await stage.two.login.enrollTotp({ subject, code })).problem).to.equal(undefined);
    stage.clock.forward(30);
    const form = await formOf(stage.one, browser, id);
    const { email, password, totpSecret } = stage.user;
    const attempt = async (secret: string) =>
      (
        await stage.one.login.signInWithPassword({
          form,
          email,
          password,
          code: codeOf(secret, stage.clock),
          remoteAddress,
        })
      ).problem;
    expect((await attempt(totpSecret))?.code).to.equal(SignInProblemCode.WRONG_CREDENTIALS);
    expect(await attempt(shown.secret)).to.equal(undefined);
  });
});
