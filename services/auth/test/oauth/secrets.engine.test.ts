import { expect } from 'chai';
import { newAuthenticator } from '../support/authenticator.ts';
import {
  authorize,
  begunSignIn,
  codeIn,
  codeOf,
  formOf,
  granted,
  newBrowser,
  newPkce,
  redeem,
  redirectOf,
  refresh,
  register,
  remoteAddress,
} from '../support/sign-in.ts';
import { useStage } from '../support/stage.ts';

describe('What the authorization server keeps and logs', function () {
  this.timeout(90_000);
  const stage = useStage('suite');

  it('holds no token, code, secret, password, cookie or challenge as it was presented', async () => {
    const { one, two, user, clock } = stage;
    const secrets = new Map<string, string>();
    const looked: string[] = [];
    const look = async (): Promise<void> => void looked.push(await stage.kept());
    const clientId = await register(one);
    const pkce = newPkce();
    const browser = newBrowser();
    const cookies = (): void => {
      for (const [name, value] of browser.jar) secrets.set(`cookie ${name} ${secrets.size}`, value);
    };

    const id = await begunSignIn(one, browser, { clientId, pkce });
    secrets.set('interaction', id);
    cookies();
    await look();
    const form = await formOf(one, browser, id);
    secrets.set('csrf', form.csrfToken);
    clock.forward(30);
    const code = codeOf(user.totpSecret, clock);
    const credentials = { form, email: user.email, remoteAddress };
    await one.login.signInWithPassword({ ...credentials, password: 'a wrong password', code });
    const step = await one.login.signInWithPassword({ ...credentials, password: user.password, code });
    browser.take(step.setCookies);
    cookies();
    const signedIn = await formOf(one, browser, id);
    secrets.set('csrf once signed in', signedIn.csrfToken);
    await look();
    const authenticator = newAuthenticator('http://mcp.test');
    const subject = { subject: { case: 'enrollmentToken' as const, value: user.enrollmentToken } };
    const totp = await one.login.beginTotpEnrollment({ subject });
    const { optionsJson } = await one.login.beginPasskeyEnrollment({ subject });
    await look();
    await one.login.enrollPasskey({ subject, responseJson: authenticator.create(optionsJson) });
    const authorizationCode = codeIn(
      redirectOf(browser, await one.login.decideConsent({ form: signedIn, allow: true })),
    );
    cookies();
    await look();
    const { verifier } = pkce;
    const tokens = granted(await redeem(two, { clientId, code: authorizationCode, verifier }));
    const next = granted(await refresh(two, { clientId, refreshToken: tokens.refreshToken ?? '' }));
    const { internalToken } = await two.oauth.verifyAccessToken({ accessToken: next.accessToken });
    // A session that is quoted by the next interaction.
    redirectOf(browser, await authorize(one, browser, { clientId, pkce }));
    const api = await stage.newClient();
    const grant = { case: 'clientCredentials' as const, value: {} };
    const own = granted(await one.oauth.exchangeToken({ client: api, grant, remoteAddress }));
    await one.oauth.exchangeToken({
      client: { ...api, clientSecret: 'a wrong secret' },
      grant,
      remoteAddress,
    });
    await one.oauth.verifyAccessToken({ accessToken: 'a wrong token' }).catch(() => undefined);
    await look();

    for (const [name, value] of Object.entries({
      password: user.password,
      wrongPassword: 'a wrong password',
      wrongSecret: 'a wrong secret',
      wrongToken: 'a wrong token',
      totpSecret: user.totpSecret,
      newTotpSecret: totp.secret,
      enrollment: user.enrollmentToken,
      authorizationCode,
      verifier,
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken ?? '',
      nextAccessToken: next.accessToken,
      nextRefreshToken: next.refreshToken ?? '',
      internalToken,
      clientSecret: api.clientSecret,
      clientToken: own.accessToken,
    })) {
      secrets.set(name, value);
    }
    expect(looked.join()).to.include(clientId).and.include('sign-in refused').and.include(user.userId);
    for (const [name, value] of secrets) {
      expect(value.length, name).to.be.at.least(10);
      expect(
        looked.some((text) => text.includes(value)),
        name,
      ).to.equal(false);
    }
    const logs = one.logged() + two.logged();
    expect(logs).not.to.match(new RegExp(`\\b${code}\\b`));
    expect(logs).not.to.include('the-state');
    expect(logs).not.to.include(user.email);
  });
});
