/**
 * Sign-ins by several gateways and auth services, which take turns and crash.
 *
 * Takes turns: gateways and auth services are started beside those of the stack.
 */
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { newFlow, newUser, register, type TestUser } from '../../login/support/sign-in.ts';
import { everyOther } from '../../../../services/common/test/support/random-budget.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { newTenant } from '../support/tenant.ts';
import { CHROMIUM_TIMEOUT_MS } from './chromium/launch.ts';
import { sharedChromium } from './chromium/shared.ts';
import { listenForCallback, type Callback } from './support/callback.ts';
import { AGENTS } from './support/clients/all.ts';
import { callToolWith } from './support/clients/call-tool.ts';
import { newPerson, type Person } from './support/person.ts';
import { startReplicas, type Replicas } from './support/replicas.ts';

const TRIES = Array.from({ length: 10 });

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

describe('Two replicas of auth and the gateway', function () {
  this.timeout(CHROMIUM_TIMEOUT_MS + STACK_START_TIMEOUT_MS);
  let replicas: Replicas;
  let behind: Pick<RunningStack, 'mcpUrl'> & RunningStack;
  let browser: Browser;
  let callback: Callback;
  let tenantId: string;
  let clientId: string;

  before(async () => {
    const stack = await sharedStack();
    [browser, callback] = await Promise.all([sharedChromium(), listenForCallback()]);
    ({ tenantId } = await newTenant(stack));
    replicas = await startReplicas(stack, 2);
    behind = { ...stack, mcpUrl: replicas.mcpUrl };
    clientId = await register(behind, { redirect_uris: [callback.url] });
  });
  after(async () => {
    await callback?.close();
    await replicas?.close();
  });

  const token = (fields: Record<string, string>, at = replicas): Promise<Response> =>
    fetch(`${at.mcpUrl}/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, ...fields }),
    });

  const codeGrant = (arrived: URL, verifier: string): Record<string, string> => ({
    grant_type: 'authorization_code',
    code: arrived.searchParams.get('code') ?? '',
    redirect_uri: callback.url,
    code_verifier: verifier,
  });

  const refreshGrant = (refreshToken: string): Record<string, string> => ({
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  });

  async function signedIn(
    person: Person,
    user: TestUser,
    between: () => Promise<void> = async () => undefined,
    at = replicas,
  ) {
    const flow = newFlow({ ...behind, mcpUrl: at.mcpUrl }, clientId, { redirect_uri: callback.url });
    await person.open(flow.authorizeUrl);
    await between();
    await person.signInWithPassword(user);
    await person.page.getByRole('button', { name: 'Allow' }).waitFor();
    await between();
    await person.press('Allow');
    return { verifier: flow.verifier, arrived: await callback.arrival() };
  }

  /** What became of requests that were sent at the same time. */
  async function outcomes(fields: Record<string, string>): Promise<{ granted: Tokens[]; refused: string[] }> {
    const answers = await Promise.all(TRIES.map(() => token(fields)));
    const granted: Tokens[] = [];
    const refused: string[] = [];
    for (const answer of answers) {
      if (answer.status === 200) granted.push((await answer.json()) as Tokens);
      else refused.push(`${answer.status} ${((await answer.json()) as { error: string }).error}`);
    }
    return { granted, refused };
  }

  const refusedCall = (accessToken: string): Promise<unknown> =>
    callToolWith(replicas.mcpUrl, accessToken).then(
      () => null,
      (error: unknown) => error,
    );

  for (const name of ['client v2, auto', 'oauth4webapi']) {
    it(`take turns in one sign-in of ${name}, and nobody notices`, async () => {
      const agent = AGENTS[name]!({
        mcpUrl: replicas.mcpUrl,
        redirectUrl: callback.url,
        identity: { kind: 'registers-itself' },
      });
      const [person, user] = [await newPerson(browser), await newUser(behind, tenantId)];
      await agent.connect(async (url) => {
        await person.open(url);
        await person.signInWithPassword(user);
        await person.press('Allow');
        return callback.arrival();
      });
      await agent.callTool();
      await agent.refresh();
      await agent.callTool();
      await Promise.all([agent.close(), person.close()]);
    });
  }

  it('may all crash at every point of a sign-in: no session, code or token is lost', async () => {
    // One of each: where it forgets something, no other could know it. Starting two takes twice the time.
    const frail = await startReplicas(behind, 1);
    try {
      const [person, user] = [await newPerson(browser), await newUser(behind, tenantId)];
      const points = ['asked', 'signed in', 'allowed', 'code redeemed'];
      const crashed = everyOther(points);
      const crash = async (): Promise<void> => {
        const point = points.shift();
        if (point !== undefined && crashed.includes(point))
          await Promise.all([frail.restartAuth(), frail.restartGateways()]);
      };
      const { arrived, verifier } = await signedIn(person, user, crash, frail);
      await crash();
      const first = (await (await token(codeGrant(arrived, verifier), frail)).json()) as Tokens;
      await crash();
      await callToolWith(frail.mcpUrl, first.access_token);
      const second = (await (await token(refreshGrant(first.refresh_token), frail)).json()) as Tokens;
      await callToolWith(frail.mcpUrl, second.access_token);
      // The browser is still signed in.
      const again = newFlow({ ...behind, mcpUrl: frail.mcpUrl }, clientId, { redirect_uri: callback.url });
      await person.open(again.authorizeUrl);
      expect(await person.heading()).to.equal('Allow Test agent to use Penstock?');
      await person.close();
    } finally {
      await frail.close();
    }
  });

  it('redeem a code once of ten parallel tries, and end what it gave, since a code used twice was stolen', async () => {
    const [person, user] = [await newPerson(browser), await newUser(behind, tenantId)];
    const { arrived, verifier } = await signedIn(person, user);
    const { granted, refused } = await outcomes(codeGrant(arrived, verifier));
    expect(granted).to.have.length(1);
    expect(refused).to.deep.equal(TRIES.slice(1).map(() => '400 invalid_grant'));
    const [tokens] = granted;
    // RFC 6749, section 4.1.2.
    expect(String(await refusedCall(tokens!.access_token))).to.include('401');
    expect((await token(refreshGrant(tokens!.refresh_token))).status).to.equal(400);
    await person.close();
  });

  it('rotate a refresh token once of ten parallel tries; used again later, it ends its family', async () => {
    const [person, user] = [await newPerson(browser), await newUser(behind, tenantId)];
    const { arrived, verifier } = await signedIn(person, user);
    const first = (await (await token(codeGrant(arrived, verifier))).json()) as Tokens;
    const { granted, refused } = await outcomes(refreshGrant(first.refresh_token));
    expect(granted).to.have.length(1);
    expect(refused).to.deep.equal(TRIES.slice(1).map(() => '400 invalid_grant'));
    // RFC 9700, section 4.14.2.
    expect((await token(refreshGrant(first.refresh_token))).status).to.equal(400);
    for (const { access_token: accessToken } of [first, ...granted]) {
      expect(String(await refusedCall(accessToken))).to.include('401');
    }
    expect((await token(refreshGrant(granted[0]!.refresh_token))).status).to.equal(400);
    await person.close();
  });
});
