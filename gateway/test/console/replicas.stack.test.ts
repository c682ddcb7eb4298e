/**
 * Sessions of the console by several gateways and auth services.
 *
 * Takes turns: gateways and auth services are started beside those of the stack.
 */
import { expect } from 'chai';
import { admin } from '../../../deploy/local/src/seed/admin.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { until } from '../../../services/common/test/support/until.ts';
import { PATHS } from '../../src/console/api/paths.ts';
import { startReplicas, type Replicas } from '../e2e/sign-in/support/replicas.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { newTenant } from '../e2e/support/tenant.ts';
import { newBrowser, newUser } from '../login/support/sign-in.ts';
import { callerOf, signInWith, type TestBrowser } from './support/console.ts';
import { untilCounts } from './support/until-counts.ts';

const GATEWAYS = 2;

describe("the console's sessions on two gateways", function () {
  this.timeout(2 * STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let replicas: Replicas;
  let tenantId: string;

  before(async () => {
    stack = await sharedStack();
    ({ tenantId } = await newTenant(stack));
    replicas = await startReplicas(stack, GATEWAYS);
  });
  after(() => replicas?.close());

  const signedIn = async () => {
    const user = await newUser(stack, tenantId);
    const browser = newBrowser(replicas.mcpUrl);
    await signInWith({ consoleUrl: `${replicas.mcpUrl}/console` }, browser, user);
    return { user, browser, call: callerOf(replicas.mcpUrl, replicas.mcpUrl, browser) };
  };

  /** Requests alternate between the gateways, so that several meet each. */
  const statuses = async (call: Awaited<ReturnType<typeof signedIn>>['call']): Promise<number[]> => {
    const all: number[] = [];
    for (let i = 0; i < 6; i += 1) all.push((await call('GET', PATHS.session)).status);
    return all;
  };

  const callerWith = (browser: TestBrowser) => callerOf(replicas.mcpUrl, replicas.mcpUrl, browser);
  const copyOf = ({ jar }: TestBrowser): TestBrowser => {
    const copy = newBrowser(replicas.mcpUrl);
    for (const [name, value] of jar) copy.jar.set(name, value);
    return copy;
  };
  /** Asks with the cookie each time, which the first 401 takes from a browser: until both gateways refuse it. */
  const untilOut = (browser: TestBrowser): Promise<void> =>
    untilCounts(
      async () => (await callerWith(copyOf(browser))('GET', PATHS.session)).status === 401,
      GATEWAYS,
    );

  it('count on both, however requests alternate', async () => {
    const { call } = await signedIn();
    expect(await statuses(call)).to.deep.equal([200, 200, 200, 200, 200, 200]);
  });

  it('are over on both within 3 seconds for a user who is disabled', async () => {
    const { user, browser, call } = await signedIn();
    expect(new Set(await statuses(call))).to.deep.equal(new Set([200]));
    await admin(stack.dataDir, 'user', 'disable', '--user', user.userId);
    await untilOut(browser);
  });

  it('are over on both within 3 seconds where one is signed out of', async () => {
    const { browser, call } = await signedIn();
    const stolen = copyOf(browser);
    expect((await callerWith(stolen)('GET', PATHS.session)).status).to.equal(200);
    await call('POST', PATHS.signOut);
    await untilOut(stolen);
  });

  it('outlive a start of all gateways and of auth', async () => {
    const { call } = await signedIn();
    // Until a gateway has found auth again it answers 503, and never that there is no session.
    const comeBack = async (): Promise<void> => {
      const isBack = async (): Promise<boolean> => {
        const seen = new Set(await statuses(call));
        expect([200, 503]).to.include.members([...seen]);
        return !seen.has(503);
      };
      await until(isBack, { what: 'the session comes back' });
    };
    await replicas.restartGateways();
    await comeBack();
    await replicas.restartAuth();
    await comeBack();
  });
});
