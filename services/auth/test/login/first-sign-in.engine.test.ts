import { expect } from 'chai';
import { SignInProblemCode } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import { newAuthenticator } from '../support/authenticator.ts';
import { failureOf } from '../support/auth-server.ts';
import {
  authorize,
  codeIn,
  codeOf,
  formOf,
  interactionIdOf,
  newBrowser,
  newPkce,
  pageOf,
  redirectOf,
  register,
  remoteAddress,
} from '../support/sign-in.ts';
import type { TestBrowser } from '../support/sign-in.ts';
import { useStage } from '../support/stage.ts';

const email = 'new@example.com';
const password = 'correct horse battery';

describe('First sign-in of a user without a second factor', function () {
  this.timeout(90_000);
  const pkce = newPkce();
  const stage = useStage();
  let clientId: string;

  beforeEach(async () => {
    clientId = await register(stage.one);
    const made = await stage.one.admin.createUser(
      { tenantId: stage.tenantId, email, role: 'member', password, enrollAtSignIn: true },
      stage.one.operator,
    );
    expect(made).to.include({ totpSecret: '', otpauthUrl: '' });
  });

  async function begin(): Promise<{ browser: TestBrowser; id: string }> {
    const browser = newBrowser();
    const step = await authorize(stage.one, browser, { clientId, pkce });
    return { browser, id: interactionIdOf(redirectOf(browser, step)) };
  }
  async function attempt(at: { browser: TestBrowser; id: string }, code: string, given = password) {
    const form = await formOf(stage.one, at.browser, at.id);
    const credentials = { email, password: given, code, remoteAddress };
    const step = await stage.one.login.signInWithPassword({ form, ...credentials });
    at.browser.take(step.setCookies);
    return step;
  }
  const subjectOf = async ({ browser, id }: { browser: TestBrowser; id: string }) => ({
    subject: { case: 'form' as const, value: await formOf(stage.two, browser, id) },
  });

  it('enrolls an authenticator app, and then goes on to consent', async () => {
    const at = await begin();
    const { problem, interaction } = await attempt(at, '');
    expect(problem).to.equal(undefined);
    expect(interaction?.page).to.deep.include({ case: 'secondFactor' });
    const subject = await subjectOf(at);
    const shown = await stage.one.login.beginTotpEnrollment({ subject });
    expect((await stage.two.login.beginTotpEnrollment({ subject })).secret).to.equal(shown.secret);
    const wrong = await stage.two.login.enrollTotp({ subject, code: '12345' });
    expect(wrong.problem?.code).to.equal(SignInProblemCode.WRONG_CODE);
    const code = codeOf(shown.secret, stage.clock);
    expect((await stage.two.login.enrollTotp({ subject, code })).problem).to.equal(undefined);
    expect((await pageOf(stage.one, at.browser, at.id)).page.case).to.equal('consent');
    const form = await formOf(stage.one, at.browser, at.id);
    codeIn(redirectOf(at.browser, await stage.one.login.decideConsent({ form, allow: true })));

    const next = await begin();
    expect((await attempt(next, '')).problem?.code).to.equal(SignInProblemCode.WRONG_CREDENTIALS);
    // The code that enrolled does not sign in.
    expect((await attempt(next, code)).problem?.code).to.equal(SignInProblemCode.WRONG_CREDENTIALS);
    stage.clock.forward(30);
    expect((await attempt(next, codeOf(shown.secret, stage.clock))).problem).to.equal(undefined);
  });

  it('enrolls a passkey, after which the password alone enrolls nothing', async () => {
    const at = await begin();
    const other = await begin();
    await attempt(at, '');
    await attempt(other, '');
    const subject = await subjectOf(at);
    const authenticator = newAuthenticator('http://mcp.test');
    const { optionsJson } = await stage.one.login.beginPasskeyEnrollment({ subject });
    const responseJson = authenticator.create(optionsJson);
    expect((await stage.two.login.enrollPasskey({ subject, responseJson })).problem).to.equal(undefined);
    expect((await pageOf(stage.one, at.browser, at.id)).page.case).to.equal('consent');

    // Another browser that was let in by the password alone comes too late.
    const late = await subjectOf(other);
    const shown = await stage.one.login.beginTotpEnrollment({ subject: late });
    const enrollment = stage.one.login.enrollTotp({ subject: late, code: codeOf(shown.secret, stage.clock) });
    expect(await failureOf(enrollment)).to.include({ code: 'NOT_FOUND' });

    const next = await begin();
    expect((await attempt(next, '')).problem?.code).to.equal(SignInProblemCode.WRONG_CREDENTIALS);
    const form = await formOf(stage.one, next.browser, next.id);
    const { optionsJson: asked } = await stage.one.login.beginPasskeySignIn({ form });
    const answer = authenticator.get(asked);
    const signedIn = await stage.one.login.signInWithPasskey({ form, responseJson: answer, remoteAddress });
    expect(signedIn.problem).to.equal(undefined);
  });

  it('gives no consent before a factor is enrolled, and enrolls nothing before the password', async () => {
    const at = await begin();
    const subject = await subjectOf(at);
    expect(await failureOf(stage.one.login.beginTotpEnrollment({ subject }))).to.include({
      code: 'NOT_FOUND',
    });
    expect(await failureOf(stage.one.login.beginPasskeyEnrollment({ subject }))).to.include({
      code: 'NOT_FOUND',
    });
    expect((await attempt(at, '', 'wrong')).problem?.code).to.equal(SignInProblemCode.WRONG_CREDENTIALS);
    await attempt(at, '');
    const form = await formOf(stage.one, at.browser, at.id);
    expect(await failureOf(stage.one.login.decideConsent({ form, allow: true }))).to.include({
      code: 'NOT_FOUND',
    });
  });
});
