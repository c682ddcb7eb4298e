import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { PATHS, signInPath } from '../../src/console/api/paths.ts';
import type { ConsoleSession } from '../../src/console/api/session.ts';
import { admin } from '../../../deploy/local/src/seed/admin.ts';
import { http } from '../e2e/support/http.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { newTenant } from '../e2e/support/tenant.ts';
import { newBrowser, newUser } from '../login/support/sign-in.ts';
import { callerOf, consoleUser, cookieHeader, credentialsOf, signInWith } from './support/console.ts';
import { untilCounts } from './support/until-counts.ts';

interface SessionEnvelope {
  readonly success: boolean;
  readonly data: ConsoleSession;
}

const SESSION_COOKIE = /^penstock-console-\d+$/;

describe("the console's sign-in", function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenantId: string;

  before(async () => {
    stack = await sharedStack();
    ({ tenantId } = await newTenant(stack));
  });

  const sessionCookieOf = (jar: Map<string, string>): string | undefined =>
    [...jar].find(([name]) => SESSION_COOKIE.test(name))?.[1];

  it('leads through the hosted login to where one was going, without a page of consent', async () => {
    const user = await newUser(stack, tenantId, 'now', 'admin');
    const browser = newBrowser(stack.baseUrl);
    const page = await browser.open(`${stack.baseUrl}${signInPath('/console/tables?schema=shop')}`);
    expect(page.status).to.equal(200);
    expect(page.text).to.include('Sign in').and.to.include('Penstock console');
    const back = await browser.submit(page, 'password', credentialsOf(user));
    expect(new URL(back.url).pathname + new URL(back.url).search).to.equal('/console/tables?schema=shop');

    const call = callerOf(stack.baseUrl, stack.baseUrl, browser);
    const { status, body } = await call<SessionEnvelope>('GET', PATHS.session);
    expect(status).to.equal(200);
    expect(body.data.user).to.deep.equal({ userId: user.userId, email: user.email, role: 'admin' });
    expect(body.data.tenant).to.deep.equal({ tenantId, name: 'Test' });
    expect(body.data.scopes).to.deep.equal(['query', 'schemas:read', 'schemas:write', 'usage:read']);
    expect(body.data.urls).to.deep.equal({ base: stack.baseUrl, mcp: `${stack.mcpUrl}/mcp` });
    const hours = (Date.parse(body.data.expiresAt) - Date.now()) / 3_600_000;
    expect(hours).to.be.within(11.9, 12);
  });

  it('lets a browser that is signed in come back without another word, until it signs out', async () => {
    const { browser, call } = await consoleUser(stack, tenantId);
    const again = await browser.open(`${stack.consoleUrl}/sign-in`);
    expect(new URL(again.url).pathname).to.equal('/console');
    expect((await call('POST', PATHS.signOut)).body.data).to.deep.equal({ signedOut: true });
    expect(sessionCookieOf(browser.jar)).to.equal(undefined);
    const after = await browser.open(`${stack.consoleUrl}/sign-in`);
    expect(after.url).to.include('/login?interaction=');
    expect(after.text).to.include('name="password"');
  });

  it('asks for a fresh sign-in where that is wanted', async () => {
    const { browser } = await consoleUser(stack, tenantId);
    const page = await browser.open(`${stack.baseUrl}${signInPath('/console/account', { fresh: true })}`);
    expect(page.text).to.include('name="password"');
  });

  it('gives the page no token, and a cookie that no script and no other site can use', async () => {
    const user = await newUser(stack, tenantId);
    const browser = newBrowser(stack.baseUrl);
    await signInWith(stack, browser, user);
    const answer = await http('GET', `${stack.baseUrl}${PATHS.session}`, {
      headers: { cookie: cookieHeader(browser), 'x-penstock-console': '1' },
    });
    expect(answer.text).to.not.match(/eyJ|pst_/);

    const begun = await fetch(`${stack.consoleUrl}/sign-in`, { redirect: 'manual' });
    expect(begun.headers.get('set-cookie')).to.match(/; HttpOnly; SameSite=Lax; /);
    const ended = await http('POST', `${stack.baseUrl}${PATHS.signOut}`, {
      headers: { cookie: cookieHeader(browser), 'x-penstock-console': '1' },
    });
    expect(ended.headers.get('set-cookie')).to.match(/; HttpOnly; SameSite=Strict; /);
  });

  it('begins a new session at each sign-in, and ends the one that the browser had', async () => {
    const { user, browser, call } = await consoleUser(stack, tenantId);
    const first = sessionCookieOf(browser.jar);
    await browser.open(`${stack.consoleUrl}/sign-in`);
    const second = sessionCookieOf(browser.jar);
    expect(second).to.be.a('string').and.not.equal(first);
    expect((await call<SessionEnvelope>('GET', PATHS.session)).body.data.user.email).to.equal(user.email);
    const [name] = [...browser.jar.keys()].filter((each) => SESSION_COOKIE.test(each));
    const old = newBrowser(stack.baseUrl);
    old.jar.set(name ?? '', first ?? '');
    await untilCounts(
      async () => (await callerOf(stack.baseUrl, stack.baseUrl, old)('GET', PATHS.session)).status === 401,
    );
  });

  it('ends all sessions of a user at once where that is wanted, those of other browsers too', async () => {
    const { browser, call } = await consoleUser(stack, tenantId);
    const elsewhere = newBrowser(stack.baseUrl);
    for (const [name, value] of browser.jar) {
      if (!SESSION_COOKIE.test(name)) elsewhere.jar.set(name, value);
    }
    await elsewhere.open(`${stack.consoleUrl}/sign-in`);
    const other = callerOf(stack.baseUrl, stack.baseUrl, elsewhere);
    expect(sessionCookieOf(elsewhere.jar)).to.not.equal(sessionCookieOf(browser.jar));
    expect((await other('GET', PATHS.session)).status).to.equal(200);
    expect((await call('POST', PATHS.signOutEverywhere)).status).to.equal(200);
    expect((await other('GET', PATHS.session)).status).to.equal(401);
  });

  it('takes no session that it did not give', async () => {
    const { browser } = await consoleUser(stack, tenantId);
    const [name = ''] = [...browser.jar.keys()].filter((each) => SESSION_COOKIE.test(each));
    const planted = `usr_${'0'.repeat(32)}.pst_se_${'A'.repeat(43)}`;
    for (const value of [planted, 'x', 'A'.repeat(4000), '%00', "' OR 1=1"]) {
      const fixed = newBrowser(stack.baseUrl);
      fixed.jar.set(name, value);
      const call = callerOf(stack.baseUrl, stack.baseUrl, fixed);
      const { status, headers } = await call('GET', PATHS.session);
      expect(status, value).to.equal(401);
      expect(headers.get('set-cookie')).to.include('Max-Age=0');
    }
  });

  it('takes a callback once, in the browser that began it, with the state that it gave', async () => {
    const user = await newUser(stack, tenantId);
    const browser = newBrowser('http://nowhere.invalid');
    const start = await browser.open(`${stack.consoleUrl}/sign-in`);
    const authorize = await browser.open(start.url);
    const login = await browser.open(authorize.url);
    const signedIn = await browser.submit(login, 'password', credentialsOf(user));
    const { url: callback } = await browser.open(signedIn.url);
    expect(new URL(callback).pathname).to.equal('/console/callback');

    const thief = newBrowser('http://nowhere.invalid');
    expect((await thief.open(callback)).status).to.equal(400);
    // One who has begun a sign-in of their own has another state.
    await thief.open(`${stack.consoleUrl}/sign-in`);
    const stolen = await thief.open(callback);
    expect(stolen.status).to.equal(400);
    expect(stolen.text).to.include('did not begin in this browser');
    expect(sessionCookieOf(thief.jar)).to.equal(undefined);

    const elsewhere = new URL(callback);
    elsewhere.searchParams.set('iss', 'https://elsewhere.example');
    const copy = newBrowser('http://nowhere.invalid');
    for (const [name, value] of browser.jar) copy.jar.set(name, value);
    expect((await copy.open(elsewhere.href)).status).to.equal(400);

    const back = await browser.open(callback);
    expect(new URL(back.url).pathname).to.equal('/console');
    expect(sessionCookieOf(browser.jar)).to.be.a('string');
    const replayed = await browser.open(callback);
    expect(replayed.status).to.equal(400);
    const withCookie = newBrowser('http://nowhere.invalid');
    for (const [name, value] of copy.jar) withCookie.jar.set(name, value);
    expect((await withCookie.open(callback)).status).to.equal(400);
  });

  it('leads nowhere but into the console', async () => {
    const places = [
      ...['https://evil.example', '//evil.example', '/console\\evil', '/v1/schemas', '/consolex'],
      ...[
        '/console/..//evil.example',
        '/console/../v1/schemas',
        '/console/%2e%2e/v1',
        '/console//evil.example',
      ],
    ];
    for (const place of places) {
      const { browser } = await consoleUser(stack, tenantId);
      const back = await browser.open(`${stack.baseUrl}${signInPath(place)}`);
      expect(new URL(back.url).pathname, place).to.equal('/console');
    }
  });

  it('says that a sign-in was cancelled, and offers another', async () => {
    const browser = newBrowser(stack.baseUrl);
    const page = await browser.open(`${stack.consoleUrl}/sign-in`);
    const back = await browser.submit(page, 'decide', { decision: 'deny' });
    expect(back.text).to.include('The sign-in was cancelled').and.to.include('/console/sign-in?return=');
  });

  it('keeps its codes from the token endpoint, and takes no other redirect URI', async () => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'penstock-console',
      redirect_uri: 'http://localhost:1/console/callback',
      state: 's',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const refused = await fetch(`${stack.mcpUrl}/authorize?${query.toString()}`, { redirect: 'manual' });
    expect(refused.status).to.equal(400);
    const token = await fetch(`${stack.mcpUrl}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'penstock-console',
        code: 'anything',
        redirect_uri: `${stack.consoleUrl}/callback`,
        code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      }),
    });
    expect(token.status).to.equal(401);
    expect(await token.json()).to.include({ error: 'invalid_client' });
  });

  it('is over within 3 seconds for a user who is disabled', async () => {
    const { user, call } = await consoleUser(stack, tenantId, 'member');
    expect((await call('GET', PATHS.session)).status).to.equal(200);
    await admin(stack.dataDir, 'user', 'disable', '--user', user.userId);
    await untilCounts(async () => (await call('GET', PATHS.session)).status === 401);
    expect((await call('GET', '/v1/schemas')).status).to.equal(401);
  });
});
