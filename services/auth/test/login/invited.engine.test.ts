import { SignInProblemCode } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import { expect } from 'chai';
import { failureOf } from '../support/auth-server.ts';
import {
  authorize,
  begunSignIn,
  codeOf,
  formOf,
  interactionIdOf,
  newBrowser,
  newPkce,
  redirectOf,
  register,
  remoteAddress,
  signIn,
} from '../support/sign-in.ts';
import { useStage } from '../support/stage.ts';

const { PASSWORD_REFUSED, WRONG_CODE, WRONG_CREDENTIALS } = SignInProblemCode;
const password = 'nine quiet herons';

describe('Somebody invited, who has no passkey', function () {
  this.timeout(90_000);
  const pkce = newPkce();
  const stage = useStage();
  const email = 'invited.person@example.com';
  let enrollmentToken: string;
  let clientId: string;

  beforeEach(async () => {
    const { one, tenantId } = stage;
    clientId = await register(one);
    const request = { tenantId, email, role: 'member', enrollAtSignIn: true };
    const { enrollUrl } = await one.admin.createUser(request, one.operator);
    enrollmentToken = new URL(enrollUrl).searchParams.get('token') ?? '';
  });

  const subjectOf = (value: string) => ({ subject: { case: 'enrollmentToken' as const, value } });
  const secretOf = async (token: string): Promise<string> =>
    (await stage.one.login.beginTotpEnrollment({ subject: subjectOf(token) })).secret;
  const enroll = (token: string, given: { code: string; newPassword?: string }) =>
    stage.two.login.enrollTotp({ subject: subjectOf(token), ...given });
  const code = (secret: string): string => codeOf(secret, stage.clock);

  async function begin() {
    const browser = newBrowser();
    const step = await authorize(stage.one, browser, { clientId, pkce });
    return { browser, id: interactionIdOf(redirectOf(browser, step)) };
  }
  /** Undefined where it goes on. */
  async function problemOf(who: { password: string; totpSecret: string; email?: string }) {
    const { browser, id } = await begin();
    const user = { ...stage.user, email, ...who };
    return (await signIn(stage.one, browser, id, user, stage.clock)).problem?.code;
  }

  it('sets a password and an authenticator app by the link, and signs in with them', async () => {
    const { one, two } = stage;
    expect(await one.login.getEnrollment({ enrollmentToken })).to.include({
      email,
      totpOffered: false,
      passwordSettable: true,
    });
    const secret = await secretOf(enrollmentToken);
    const used = code(secret);
    expect((await enroll(enrollmentToken, { code: used, newPassword: password })).problem).to.equal(
      undefined,
    );
    // The code that enrolled does not sign in.
    const { browser, id } = await begin();
    const form = await formOf(two, browser, id);
    const again = await two.login.signInWithPassword({ form, email, password, code: used, remoteAddress });
    expect(again.problem?.code).to.equal(WRONG_CREDENTIALS);
    expect(await problemOf({ password, totpSecret: secret })).to.equal(undefined);
    expect(await problemOf({ password: 'another password', totpSecret: secret })).to.equal(WRONG_CREDENTIALS);
  });

  it('cannot leave the password out, nor choose one that is guessed easily', async () => {
    const secret = await secretOf(enrollmentToken);
    for (const newPassword of [
      '',
      'eleven char',
      'ababababababab',
      'x'.repeat(300),
      email,
      'Invited.Person@example.com!',
      'invited.person',
    ]) {
      const { problem } = await enroll(enrollmentToken, { code: code(secret), newPassword });
      expect(problem?.code, newPassword).to.equal(PASSWORD_REFUSED);
      expect(problem?.message)
        .to.match(/password/i)
        .and.to.not.include(newPassword || 'undefined');
    }
    // Characters count, not bytes or UTF-16 units: these are twelve.
    const newPassword = '🦀🦞🦐🦑🐙🐚🐡🐠🐟🐬🐳🐋';
    expect((await enroll(enrollmentToken, { code: code(secret), newPassword })).problem).to.equal(undefined);
    expect(await problemOf({ password: newPassword, totpSecret: secret })).to.equal(undefined);
  });

  it('has nothing changed by a wrong code, and the link stays good', async () => {
    const secret = await secretOf(enrollmentToken);
    const wrong = await enroll(enrollmentToken, { code: '000000', newPassword: password });
    expect(wrong.problem?.code).to.equal(WRONG_CODE);
    expect(await problemOf({ password, totpSecret: secret })).to.equal(WRONG_CREDENTIALS);
    expect((await enroll(enrollmentToken, { code: code(secret), newPassword: password })).problem).to.equal(
      undefined,
    );
  });

  it('uses the link once: of two who enroll at the same moment, one is let in', async () => {
    const secret = await secretOf(enrollmentToken);
    const passwords = ['the first password', 'the second password'];
    const outcomes = await Promise.allSettled(
      passwords.map((newPassword) => enroll(enrollmentToken, { code: code(secret), newPassword })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    const problems = [];
    for (const given of passwords) problems.push(await problemOf({ password: given, totpSecret: secret }));
    expect(problems.filter((problem) => problem === undefined)).to.have.length(1);
    for (const call of [
      () => stage.one.login.getEnrollment({ enrollmentToken }),
      () => stage.one.login.beginTotpEnrollment({ subject: subjectOf(enrollmentToken) }),
      () => enroll(enrollmentToken, { code: code(secret), newPassword: password }),
    ]) {
      expect(await failureOf(call())).to.include({ code: 'NOT_FOUND' });
    }
  });

  it('is too late after a week, and has no link once disabled', async () => {
    const { one, clock, tenantId } = stage;
    const other = { tenantId, email: 'other@example.com', role: 'member', enrollAtSignIn: true };
    const { user, enrollUrl } = await one.admin.createUser(other, one.operator);
    const token = new URL(enrollUrl).searchParams.get('token') ?? '';
    const secret = await secretOf(token);
    await one.admin.disableUser({ userId: user?.userId ?? '' }, one.operator);
    const disabled = enroll(token, { code: code(secret), newPassword: password });
    expect(await failureOf(disabled)).to.include({ code: 'NOT_FOUND' });
    clock.forward(7 * 86_400 + 1);
    const late = enroll(enrollmentToken, { code: '000000', newPassword: password });
    expect(await failureOf(late)).to.include({ code: 'NOT_FOUND' });
  });

  it('leaves neither password nor code in the table or the logs', async () => {
    const secret = await secretOf(enrollmentToken);
    const given = { code: code(secret), newPassword: password };
    await enroll(enrollmentToken, { ...given, code: '12' });
    expect((await enroll(enrollmentToken, given)).problem).to.equal(undefined);
    const kept = await stage.kept();
    for (const raw of [password, secret, enrollmentToken]) expect(kept).to.not.include(raw);
  });
});

describe('Somebody who has a password', function () {
  this.timeout(90_000);
  const pkce = newPkce();
  const stage = useStage();
  let clientId: string;

  beforeEach(async () => {
    clientId = await register(stage.one);
  });

  async function problemOf(change: { password?: string; totpSecret: string }) {
    const browser = newBrowser();
    const step = await authorize(stage.one, browser, { clientId, pkce });
    const id = interactionIdOf(redirectOf(browser, step));
    return (await signIn(stage.one, browser, id, { ...stage.user, ...change }, stage.clock)).problem?.code;
  }

  for (const [what, newPassword] of [
    ['keeps it where the link sets none', ''],
    ['gets the one that the link sets', 'a forgotten one is replaced'],
  ] as const) {
    it(what, async () => {
      const { one, user, clock } = stage;
      const subject = { subject: { case: 'enrollmentToken' as const, value: user.enrollmentToken } };
      const { secret } = await one.login.beginTotpEnrollment({ subject });
      const code = codeOf(secret, clock);
      expect((await one.login.enrollTotp({ subject, code, newPassword })).problem).to.equal(undefined);
      const good = newPassword === '' ? user.password : newPassword;
      expect(await problemOf({ password: good, totpSecret: secret })).to.equal(undefined);
      if (newPassword !== '') {
        expect(await problemOf({ totpSecret: secret })).to.equal(WRONG_CREDENTIALS);
      }
    });
  }

  it('keeps it in a sign-in that enrolls, whatever the form says', async () => {
    const { one, tenantId, clock } = stage;
    const email = 'first@example.com';
    const given = { tenantId, email, role: 'member', password: stage.user.password, enrollAtSignIn: true };
    await one.admin.createUser(given, one.operator);
    const browser = newBrowser();
    const step = await authorize(one, browser, { clientId, pkce });
    const id = interactionIdOf(redirectOf(browser, step));
    const credentials = { email, password: stage.user.password, code: '', remoteAddress };
    const signedIn = await one.login.signInWithPassword({
      form: await formOf(one, browser, id),
      ...credentials,
    });
    browser.take(signedIn.setCookies);
    const subject = { subject: { case: 'form' as const, value: await formOf(one, browser, id) } };
    const { secret } = await one.login.beginTotpEnrollment({ subject });
    const code = codeOf(secret, clock);
    const { problem } = await one.login.enrollTotp({ subject, code, newPassword: password });
    expect(problem).to.equal(undefined);
    const who = { ...stage.user, email, totpSecret: secret };
    const next = newBrowser();
    const at = await begunSignIn(one, next, { clientId, pkce });
    expect((await signIn(one, next, at, { ...who, password }, clock)).problem?.code).to.equal(
      WRONG_CREDENTIALS,
    );
    expect((await signIn(one, next, at, who, clock)).problem).to.equal(undefined);
  });
});
