import { expect } from 'chai';
import { SignInProblemCode } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import { KNOWN_BROWSER_LIFETIME_S } from '../../src/limits.ts';
import { useStage } from '../support/stage.ts';
import {
  authorize,
  begunSignIn,
  codeOf,
  formOf,
  interactionIdOf,
  newBrowser,
  newPkce,
  newUser,
  redirectOf,
  register,
} from '../support/sign-in.ts';
import type { TestBrowser, TestUser } from '../support/sign-in.ts';

const { WRONG_CREDENTIALS, TOO_MANY_TRIES } = SignInProblemCode;

describe('Strangers who guess', function () {
  this.timeout(60_000);
  const stage = useStage();
  const pkce = newPkce();
  let clientId: string;

  beforeEach(async () => {
    clientId = await register(stage.one);
  });

  /** One try at a sign-in of its own; undefined: it was right. */
  async function attempt(
    remoteAddress: string,
    change: { browser?: TestBrowser; password?: string; user?: TestUser } = {},
  ): Promise<SignInProblemCode | undefined> {
    const { one, clock } = stage;
    const { browser = newBrowser(), user = stage.user } = change;
    const parameters = { prompt: 'login' };
    const step = await authorize(one, browser, { clientId, pkce }, parameters);
    const form = await formOf(one, browser, interactionIdOf(redirectOf(browser, step)));
    clock.forward(30);
    const result = await one.login.signInWithPassword({
      form,
      email: user.email,
      password: change.password ?? user.password,
      code: codeOf(user.totpSecret, clock),
      remoteAddress,
    });
    browser.take(result.setCookies);
    return result.problem?.code;
  }

  /** Guesses until the address is refused. */
  async function lockOut(remoteAddress: string): Promise<void> {
    for (let i = 0; i < 10; i += 1) {
      expect(await attempt(remoteAddress, { password: 'wrong' })).to.equal(WRONG_CREDENTIALS);
    }
    expect(await attempt(remoteAddress)).to.equal(TOO_MANY_TRIES);
  }

  it('lock out nobody at another address', async () => {
    await lockOut('198.51.100.1');
    expect(await attempt('192.0.2.7')).to.equal(undefined);
  });

  it('at one address do not stop a browser there that signed in before', async () => {
    const browser = newBrowser();
    expect(await attempt('192.0.2.7', { browser })).to.equal(undefined);
    await lockOut('192.0.2.7');
    expect(await attempt('192.0.2.7', { browser })).to.equal(undefined);
  });

  it('get no more tries by the cookie of another account, of another browser name, or an old one', async () => {
    const mine = newBrowser();
    const other = await newUser(stage.one, stage.tenantId);
    expect(await attempt('192.0.2.7', { browser: mine, user: other })).to.equal(undefined);
    await lockOut('198.51.100.1');
    expect(await attempt('198.51.100.1', { browser: mine }), "another account's").to.equal(TOO_MANY_TRIES);

    const owner = newBrowser();
    expect(await attempt('192.0.2.7', { browser: owner })).to.equal(undefined);
    const [name = '', value = ''] = [...owner.jar].find(([key]) => /browser/.test(key)) ?? [];
    const [, ...rest] = value.split('.');
    for (const forged of [['another', ...rest].join('.'), '', '.', '..', 'x.9999999999.x']) {
      const browser = newBrowser();
      browser.jar.set(name, forged);
      expect(await attempt('198.51.100.1', { browser }), forged).to.equal(TOO_MANY_TRIES);
    }
    stage.clock.forward(KNOWN_BROWSER_LIFETIME_S);
    // Nobody let the client in meanwhile.
    clientId = await register(stage.one);
    // The counters' clock is not the stage's: the address is still refused.
    expect(await attempt('198.51.100.1', { browser: owner }), 'old').to.equal(TOO_MANY_TRIES);
  });
});

describe('A sign-in', function () {
  this.timeout(90_000);
  const stage = useStage();
  const pkce = newPkce();

  it('changes its cookie and its forms when the password was right, and takes the old ones no longer', async () => {
    const { one, two, user, clock } = stage;
    const [browser, thief] = [newBrowser(), newBrowser()];
    const clientId = await register(one);
    const id = await begunSignIn(one, browser, { clientId, pkce });
    const before = await formOf(one, browser, id);
    for (const [name, value] of browser.jar) thief.jar.set(name, value);
    const step = await one.login.signInWithPassword({
      form: before,
      email: user.email,
      password: user.password,
      code: codeOf(user.totpSecret, clock),
      remoteAddress: '192.0.2.7',
    });
    browser.take(step.setCookies);
    const after = await formOf(one, browser, id);
    expect(after.csrfToken).not.to.equal(before.csrfToken);
    expect(after.browser.cookieHeader).not.to.equal(before.browser.cookieHeader);
    const refusals = {
      'the old cookie': () =>
        two.login.getInteraction({ browser: { interactionId: id, cookieHeader: thief.header() } }),
      'the old form': () => two.login.decideConsent({ form: before, allow: true }),
      'the old form with the new cookie': () =>
        two.login.decideConsent({ form: { ...after, csrfToken: before.csrfToken }, allow: true }),
      'the new form with the old cookie': () =>
        two.login.decideConsent({
          form: { ...after, browser: { ...after.browser, cookieHeader: thief.header() } },
          allow: true,
        }),
    };
    for (const [what, call] of Object.entries(refusals)) {
      const outcome = await call().then(
        () => 'taken',
        () => 'refused',
      );
      expect(outcome, what).to.equal('refused');
    }
    const callback = redirectOf(browser, await two.login.decideConsent({ form: after, allow: true }));
    expect(callback.searchParams.get('code')).to.be.a('string');
  });
});
