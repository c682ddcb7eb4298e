import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { newAuthenticator } from '../../../services/auth/test/support/authenticator.ts';
import type { Account, EnrollmentLink } from '../../src/console/api/account.ts';
import type { Agent } from '../../src/console/api/agents.ts';
import { agentPath, passkeyPath, PATHS, sessionPath } from '../../src/console/api/paths.ts';
import type { Page } from '../../src/console/api/protocol.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { newTenant } from '../e2e/support/tenant.ts';
import { newBrowser, newFlow, redirectUri, register } from '../login/support/sign-in.ts';
import { callerOf, consoleUser, type ConsoleUser, type TestBrowser } from './support/console.ts';
import { untilCounts } from './support/until-counts.ts';

interface Answered<Data> {
  readonly data: Data;
  readonly error?: { readonly code: string };
}

describe('a user in the console', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenantId: string;

  before(async () => {
    stack = await sharedStack();
    ({ tenantId } = await newTenant(stack));
  });

  const accountOf = async ({ call }: ConsoleUser): Promise<Account> =>
    (await call<Answered<Account>>('GET', PATHS.account)).body.data;
  /** Another browser of the same user: the hosted login's session is copied, so that it signs in without a code. */
  const another = async ({ browser }: ConsoleUser) => {
    const copy = newBrowser(stack.baseUrl);
    const hosted = browser.jar.get('penstock-session');
    copy.jar.set('penstock-session', hosted ?? '');
    await copy.open(`${stack.consoleUrl}/sign-in`);
    // The hosted login gives its session another ID then.
    browser.jar.set('penstock-session', copy.jar.get('penstock-session') ?? '');
    return callerOf(stack.baseUrl, stack.baseUrl, copy);
  };
  const addPasskey = async (browser: TestBrowser, { call }: ConsoleUser) => {
    const { body } = await call<Answered<EnrollmentLink>>('POST', PATHS.enrollmentLink);
    expect((Date.parse(body.data.expiresAt) - Date.now()) / 60_000).to.be.within(14, 15);
    const authenticator = newAuthenticator(stack.mcpUrl);
    const page = await browser.open(body.data.enrollUrl);
    const response = authenticator.create(await browser.passkeyOptions(page));
    await browser.submit(page, 'passkey', { response });
    return authenticator;
  };

  it('sees their ways in, adds a passkey, and removes it', async () => {
    const user = await consoleUser(stack, tenantId, 'member');
    expect(await accountOf(user)).to.deep.include({
      email: user.user.email,
      passkeys: [],
      hasPassword: true,
      hasOneTimeCode: true,
    });
    await addPasskey(user.browser, user);
    const { passkeys } = await accountOf(user);
    expect(passkeys).to.have.length(1);
    expect(passkeys[0]?.transports).to.be.an('array');
    const path = passkeyPath(passkeys[0]?.passkeyId ?? '');
    const stranger = await consoleUser(stack, tenantId, 'admin');
    expect((await stranger.call('DELETE', path)).status).to.equal(404);
    expect((await user.call('DELETE', path)).body.data).to.deep.equal({ deleted: true });
    expect((await accountOf(user)).passkeys).to.deep.equal([]);
  });

  it('sees their sessions, and ends one or all of them', async () => {
    const user = await consoleUser(stack, tenantId, 'member');
    const second = await another(user);
    const { sessions } = await accountOf(user);
    expect(sessions).to.have.length(2);
    expect(sessions.map(({ current }) => current).sort()).to.deep.equal([false, true]);
    const other = sessions.find(({ current }) => !current)!;
    const stranger = await consoleUser(stack, tenantId, 'admin');
    expect((await stranger.call('DELETE', sessionPath(other.sessionId))).status).to.equal(404);
    expect((await second('GET', PATHS.session)).status).to.equal(200);
    await user.call('DELETE', sessionPath(other.sessionId));
    await untilOut(() => second('GET', PATHS.session));

    const third = await another(user);
    expect((await third('GET', PATHS.session)).status).to.equal(200);
    expect((await user.call('POST', PATHS.signOutEverywhere)).status).to.equal(200);
    await untilOut(() => third('GET', PATHS.session));
    await untilOut(() => user.call('GET', PATHS.session));
    const fourth = await another(user);
    expect((await fourth('GET', PATHS.session)).status).to.equal(401);
  });

  it('sees which agents they allowed, and ends what one was given', async () => {
    const user = await consoleUser(stack, tenantId, 'member');
    const clientId = await register(stack, { client_name: '<i>Agent</i>' });
    const flow = newFlow(stack, clientId);
    const consent = await user.browser.open(flow.authorizeUrl);
    const back = await user.browser.submit(consent, 'decide', { decision: 'allow' });
    const token = (fields: Record<string, string>) =>
      fetch(`${stack.mcpUrl}/token`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: clientId, ...fields }),
      });
    const granted = (await (
      await token({
        grant_type: 'authorization_code',
        code: new URL(back.url).searchParams.get('code') ?? '',
        redirect_uri: redirectUri,
        code_verifier: flow.verifier,
      })
    ).json()) as { access_token: string; refresh_token: string };
    const mcp = () =>
      fetch(`${stack.mcpUrl}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${granted.access_token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      });
    expect((await mcp()).status).to.not.equal(401);

    const { items } = (await user.call<Answered<Page<Agent>>>('GET', PATHS.agents)).body.data;
    expect(items).to.have.length(1);
    expect(items[0]).to.deep.include({
      name: '<i>Agent</i>',
      redirectHost: '127.0.0.1:3000',
      scopes: ['query', 'schemas:read'],
    });
    const path = agentPath(items[0]?.agentId ?? '');
    const stranger = await consoleUser(stack, tenantId, 'admin');
    expect((await stranger.call('DELETE', path)).status).to.equal(404);
    expect((await mcp()).status).to.not.equal(401);
    expect((await user.call('DELETE', path)).body.data).to.deep.equal({ deleted: true });
    expect((await mcp()).status).to.equal(401);
    const refreshed = await token({ grant_type: 'refresh_token', refresh_token: granted.refresh_token });
    expect(refreshed.status).to.equal(400);
    expect((await user.call<Answered<Page<Agent>>>('GET', PATHS.agents)).body.data.items).to.deep.equal([]);
  });
});

const untilOut = (call: () => Promise<{ readonly status: number }>): Promise<void> =>
  untilCounts(async () => (await call()).status === 401);
