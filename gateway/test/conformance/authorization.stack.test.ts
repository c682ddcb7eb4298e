import { expect } from 'chai';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { IS_LONG } from '../../../services/common/test/support/random-budget.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { newTenant } from '../e2e/support/tenant.ts';
import { codeOf, newBrowser, newUser, password, register } from '../login/support/sign-in.ts';
import { runAuthorizationScenarios, type Revision } from './support/suite.ts';
import { hasPassed, describeChecks } from './support/check-suite.ts';
import { freePorts } from '../../../deploy/local/src/stack/ports.ts';

/** The older one only in the long lane: most scenarios are the same. */
const REVISIONS: readonly Revision[] = IS_LONG ? ['2025-11-25', '2026-07-28'] : ['2026-07-28'];

describe('the authorization server in the official conformance suite', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenantId: string;

  before(async () => {
    stack = await sharedStack();
    ({ tenantId } = await newTenant(stack));
  });

  /** What the person does whom the suite asks to open the URL. */
  async function signIn(url: string): Promise<void> {
    const user = await newUser(stack, tenantId);
    const browser = newBrowser(stack.mcpUrl);
    const login = await browser.open(url);
    const consent = await browser.submit(login, 'password', {
      email: user.email,
      password,
      code: codeOf(user.totpSecret),
    });
    const back = await browser.submit(consent, 'decide', { decision: 'allow' });
    expect(back.url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/callback\?code=/);
    await fetch(back.url, { signal: AbortSignal.timeout(10_000) });
  }

  for (const revision of REVISIONS) {
    it(`passes every scenario of protocol ${revision}`, async () => {
      const [callbackPort = 0] = await freePorts(1);
      const redirectUri = `http://127.0.0.1:${callbackPort}/callback`;
      const clientId = await register(stack, { redirect_uris: [redirectUri] });
      const options = {
        issuer: stack.mcpUrl,
        clientId,
        resource: `${stack.mcpUrl}/mcp`,
        callbackPort,
        revision,
      };
      const results = await runAuthorizationScenarios(options, signIn);
      expect([...results.keys()]).to.have.members([
        'authorization-server-metadata-endpoint',
        'authorization-code-grant',
      ]);
      for (const checks of results.values()) expect(hasPassed(checks), describeChecks(checks)).to.equal(true);
    });
  }
});
