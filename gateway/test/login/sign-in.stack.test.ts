import { expect } from 'chai';
import { newAuthenticator } from '../../../services/auth/test/support/authenticator.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { newTenant } from '../e2e/support/tenant.ts';
import {
  codeOf,
  formsOf,
  newBrowser,
  newFlow,
  newUser,
  password,
  redirectUri,
  register,
  type Flow,
  type TestUser,
  type View,
} from './support/sign-in.ts';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
}

describe('the hosted pages', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenantId: string;
  let clientId: string;

  const token = (fields: Record<string, string>): Promise<Response> =>
    fetch(`${stack.mcpUrl}/token`, { method: 'POST', body: new URLSearchParams(fields) });

  const redeem = (flow: Flow, view: View): Promise<Response> =>
    token({
      grant_type: 'authorization_code',
      client_id: flow.clientId,
      code: new URL(view.url).searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: flow.verifier,
    });

  const credentialsOf = (user: TestUser): Record<string, string> => ({
    email: user.email,
    password,
    code: codeOf(user.totpSecret),
  });

  before(async () => {
    stack = await sharedStack();
    ({ tenantId } = await newTenant(stack));
    clientId = await register(stack);
  });

  it('lead from password and code through consent to tokens that are refreshed', async () => {
    const [user, flow] = [await newUser(stack, tenantId), newFlow(stack, clientId)];
    const browser = newBrowser(stack.mcpUrl);
    const signIn = await browser.open(flow.authorizeUrl);
    expect(signIn.status).to.equal(200);
    expect(signIn.text).to.include('Sign in').and.to.include('Test agent');

    const consent = await browser.submit(signIn, 'password', credentialsOf(user));
    expect(consent.status).to.equal(200);
    for (const shown of ['Test agent', '127.0.0.1:3000', user.email, 'Run SQL queries', 'See your schemas']) {
      expect(consent.text).to.include(shown);
    }
    expect(consent.text).to.include('registered itself').and.to.include('a program on this computer');

    const back = await browser.submit(consent, 'decide', { decision: 'allow' });
    expect(back.url).to.match(/^http:\/\/127\.0\.0\.1:3000\/callback\?/);
    expect(new URL(back.url).searchParams.get('state')).to.equal('state-1');
    const granted = await redeem(flow, back);
    expect(granted.status).to.equal(200);
    const tokens = (await granted.json()) as Tokens;
    expect(tokens).to.include({ token_type: 'Bearer', expires_in: 600, scope: 'query schemas:read' });

    const refreshed = await token({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: tokens.refresh_token,
    });
    expect(refreshed.status).to.equal(200);
    expect(((await refreshed.json()) as Tokens).refresh_token).to.not.equal(tokens.refresh_token);
  });

  it('enroll an authenticator app at the first sign-in', async () => {
    const [user, flow] = [await newUser(stack, tenantId, 'at-sign-in'), newFlow(stack, clientId)];
    const browser = newBrowser(stack.mcpUrl);
    const signIn = await browser.open(flow.authorizeUrl);
    const enroll = await browser.submit(signIn, 'password', { email: user.email, password, code: '' });
    expect(enroll.status).to.equal(200);
    const secret = /class="secret">([A-Z2-7 ]+)</.exec(enroll.text)?.[1]?.replaceAll(' ', '') ?? '';
    expect(enroll.text).to.match(/<svg viewBox="0 0 \d+ \d+" shape-rendering/);

    const wrong = await browser.submit(enroll, 'totp', { code: 'abc' });
    expect(wrong.status).to.equal(400);
    expect(wrong.text).to.include('role="alert"').and.to.include(secret.slice(0, 4));

    const consent = await browser.submit(wrong, 'totp', { code: codeOf(secret) });
    expect(consent.text).to.include('Allow <bdi');
    const back = await browser.submit(consent, 'decide', { decision: 'allow' });
    expect((await redeem(flow, back)).status).to.equal(200);
  });

  it('show the form again with one message for a wrong password and an unknown user', async () => {
    const user = await newUser(stack, tenantId);
    const browser = newBrowser(stack.mcpUrl);
    const signIn = await browser.open(newFlow(stack, clientId).authorizeUrl);
    const alertOf = (view: View): string | undefined => /role="alert">([^<]+)</.exec(view.text)?.[1];
    const answers = [];
    for (const email of [user.email, 'nobody@example.com']) {
      const again = await browser.submit(signIn, 'password', { email, password: 'wrong', code: '000000' });
      expect(again.status).to.equal(401);
      expect(again.text).to.include(`value="${email}"`).and.to.not.include('value="wrong"');
      answers.push(alertOf(again));
    }
    expect(answers[0]).to.be.a('string').and.to.equal(answers[1]);
  });

  it('answer 429 with Retry-After after too many wrong tries', async () => {
    const browser = newBrowser(stack.mcpUrl);
    const signIn = await browser.open(newFlow(stack, clientId).authorizeUrl);
    const wrong = { email: `nobody-${Date.now()}@example.com`, password: 'wrong', code: '000000' };
    let last = signIn;
    for (let i = 0; i < 11; i += 1) last = await browser.submit(signIn, 'password', wrong);
    expect(last.status).to.equal(429);
    expect(Number(last.headers.get('retry-after'))).to.be.greaterThan(0);
    expect(last.text).to.include('Too many wrong tries');
  });

  it('take a no at the consent and at the sign-in back to the client as access_denied', async () => {
    const user = await newUser(stack, tenantId);
    const browser = newBrowser(stack.mcpUrl);
    const signIn = await browser.open(newFlow(stack, clientId).authorizeUrl);
    const consent = await browser.submit(signIn, 'password', credentialsOf(user));
    const denied = await browser.submit(consent, 'decide', { decision: 'deny' });
    expect(new URL(denied.url).searchParams.get('error')).to.equal('access_denied');

    const another = newBrowser(stack.mcpUrl);
    const cancelled = await another.submit(
      await another.open(newFlow(stack, clientId).authorizeUrl),
      'decide',
    );
    expect(new URL(cancelled.url).searchParams.get('error')).to.equal('access_denied');
  });

  it('refuse another browser and a form with a wrong CSRF token', async () => {
    const browser = newBrowser(stack.mcpUrl);
    const signIn = await browser.open(newFlow(stack, clientId).authorizeUrl);
    const stranger = newBrowser(stack.mcpUrl);
    expect((await stranger.open(signIn.url)).status).to.equal(404);
    expect((await stranger.submit(signIn, 'decide', { decision: 'deny' })).status).to.equal(404);

    const forged = await browser.submit(signIn, 'decide', { decision: 'deny', csrf: 'x' });
    expect(forged.status).to.equal(400);
    expect(forged.text).to.include('Sign-in cannot continue');
    expect((await browser.open(signIn.url)).status).to.equal(200);
  });

  it('escape what a client says of itself and lay down a strict policy', async () => {
    const name = `<img src=x onerror=alert(1)>"'&`;
    const hostile = await register(stack, { client_name: name });
    const view = await newBrowser(stack.mcpUrl).open(newFlow(stack, hostile).authorizeUrl);
    expect(view.text)
      .to.include('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;')
      .and.to.not.include('<img');
    expect(view.text).to.not.match(/<style|<script(?! src)| style=| on\w+="/);
    const policy = view.headers.get('content-security-policy') ?? '';
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "form-action 'self' http://127.0.0.1:3000",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]) {
      expect(policy.split('; ')).to.include(directive);
    }
    expect(policy).to.not.include('unsafe');
    expect(view.headers.get('cache-control')).to.equal('no-store');
    expect(view.headers.get('referrer-policy')).to.equal('no-referrer');
    expect(view.headers.get('x-frame-options')?.toLowerCase()).to.equal('deny');
    expect(view.headers.get('x-powered-by')).to.equal(null);
  });

  it('show a page, and redirect nowhere, where an authorization request cannot be trusted', async () => {
    const foreign = newFlow(stack, clientId, { redirect_uri: 'https://evil.example/' }).authorizeUrl;
    const twice = `${newFlow(stack, clientId).authorizeUrl}&state=again`;
    const unknown = newFlow(stack, 'no-such-client').authorizeUrl;
    for (const url of [foreign, twice, unknown, `${stack.mcpUrl}/authorize`]) {
      const view = await newBrowser(stack.mcpUrl).open(url);
      expect(view.status, url).to.be.within(400, 401);
      expect(view.headers.get('content-type')).to.include('text/html');
      expect(view.text).to.include('Sign-in cannot continue');
    }
  });

  it('enroll a passkey by link, sign in with it, and refuse a strange one without blaming the fields', async () => {
    const user = await newUser(stack, tenantId);
    const browser = newBrowser(stack.mcpUrl);
    const authenticator = newAuthenticator(stack.mcpUrl);
    const page = await browser.open(user.enrollUrl);
    const created = authenticator.create(await browser.passkeyOptions(page));
    expect((await browser.submit(page, 'passkey', { response: created })).text).to.include('All set');

    const signIn = await browser.open(newFlow(stack, clientId).authorizeUrl);
    const stranger = newAuthenticator(stack.mcpUrl).get(await browser.passkeyOptions(signIn));
    const refused = await browser.submit(signIn, 'passkey', { response: stranger });
    expect(refused.status).to.equal(401);
    expect(refused.text).to.include('The passkey was not accepted').and.to.not.include('aria-invalid');

    const answer = authenticator.get(await browser.passkeyOptions(refused));
    const consent = await browser.submit(refused, 'passkey', { response: answer });
    expect(consent.text).to.include('Allow <bdi').and.to.include(user.email);
  });

  it('serve the style sheet and the script that the policy allows', async () => {
    for (const [name, type] of [
      ['pages.css', 'text/css'],
      ['passkey.js', 'text/javascript'],
      ['submit-once.js', 'text/javascript'],
    ] as const) {
      const answer = await fetch(`${stack.mcpUrl}/login/assets/${name}`);
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('content-type')).to.include(type);
      expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
    }
    expect((await fetch(`${stack.mcpUrl}/login/assets/..%2fassets.ts`)).status).to.equal(404);
  });

  it('set a password by link where it is typed twice alike, without a script', async () => {
    const user = await newUser(stack, tenantId, 'at-sign-in');
    const browser = newBrowser(stack.mcpUrl);
    const page = await browser.open(user.enrollUrl);
    const secret = /class="secret">([A-Z2-7 ]+)</.exec(page.text)?.[1]?.replaceAll(' ', '') ?? '';
    const chosen = 'nine quiet <herons>';
    for (const [fields, words] of [
      [{ password: chosen }, 'not the same'],
      [{ repeated: chosen }, 'not the same'],
      [{ password: 'short one', repeated: 'short one' }, 'at least 12 characters'],
      [{ password: chosen, repeated: chosen, code: '000000' }, 'Type the password again, too.'],
    ] as const) {
      const refused = await browser.submit(page, 'totp', { code: codeOf(secret), ...fields });
      expect(refused.status, words).to.equal(400);
      expect(refused.text).to.include(words).and.to.not.include('quiet');
      expect(refused.text).to.match(/aria-invalid="true"/);
    }
    const fields = { code: codeOf(secret), password: chosen, repeated: chosen };
    expect((await browser.submit(page, 'totp', fields)).text).to.include('All set');
    const replayed = await browser.submit(page, 'totp', fields);
    expect([replayed.status, replayed.text.includes('All set')]).to.deep.equal([404, false]);

    const signIn = await browser.open(newFlow(stack, clientId).authorizeUrl);
    const old = await browser.submit(signIn, 'password', { email: user.email, password, code: '' });
    expect(old.status).to.equal(401);
  });

  it('enroll an authenticator app by an administrator’s link, once', async () => {
    const user = await newUser(stack, tenantId, 'at-sign-in');
    const browser = newBrowser(stack.mcpUrl);
    const page = await browser.open(user.enrollUrl);
    expect(page.status).to.equal(200);
    expect(page.text).to.include(user.email).and.to.include('Create a passkey');
    expect(formsOf(page.text).map(({ fields }) => fields['step'])).to.deep.equal(['passkey', 'totp']);
    const secret = /class="secret">([A-Z2-7 ]+)</.exec(page.text)?.[1]?.replaceAll(' ', '') ?? '';

    const done = await browser.submit(page, 'totp', { code: codeOf(secret) });
    expect(done.status).to.equal(200);
    expect(done.text).to.include('All set');
    expect((await browser.open(user.enrollUrl)).status).to.equal(404);
  });
});
