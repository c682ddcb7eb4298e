import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { isChosen, SEED_SHOWN } from '../../../../services/common/test/support/random-budget.ts';
import { newUser, register, type TestUser } from '../../login/support/sign-in.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { newTenant, type TestTenant } from '../support/tenant.ts';
import { CHROMIUM_TIMEOUT_MS } from './chromium/launch.ts';
import { sharedChromium } from './chromium/shared.ts';
import { listenForCallback, type Callback } from './support/callback.ts';
import { AGENTS } from './support/clients/all.ts';
import { WITHOUT_A_PERSON } from './support/clients/client-credentials.ts';
import type { Agent, Identity } from './support/clients/client.ts';
import { newPerson, type Person } from './support/person.ts';

type SignIn = (person: Person, user: TestUser) => Promise<void>;

const withPassword: SignIn = (person, user) => person.signInWithPassword(user);
const withPasskey: SignIn = (person) => person.signInWithPasskey();

describe(`An application connects (${SEED_SHOWN})`, function () {
  this.timeout(CHROMIUM_TIMEOUT_MS + STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let browser: Browser;
  let callback: Callback;

  before(async () => {
    [browser, stack, callback] = await Promise.all([sharedChromium(), sharedStack(), listenForCallback()]);
    tenant = await newTenant(stack);
  });
  after(() => callback?.close());

  /** Connects, calls a tool, gets new tokens, and calls it again. */
  async function useAgent(agent: Agent, person: Person, user: TestUser, signIn: SignIn): Promise<void> {
    await agent.connect(async (url) => {
      await person.open(url);
      expect(await person.heading()).to.equal('Sign in');
      await signIn(person, user);
      await person.page.getByRole('button', { name: 'Allow' }).waitFor();
      expect(await person.heading()).to.match(/^Allow .+ to use Penstock\?$/);
      await person.press('Allow');
      return callback.arrival();
    });
    await agent.callTool();
    const before = agent.tokens();
    expect(before.refreshToken).to.be.a('string');
    await agent.refresh();
    const after = agent.tokens();
    expect(after.accessToken).to.not.equal(before.accessToken);
    expect(after.refreshToken).to.be.a('string').and.to.not.equal(before.refreshToken);
    await agent.callTool();
  }

  const newAgent = (name: string, identity: Identity): Agent => {
    const make = AGENTS[name];
    if (make === undefined) throw new Error(`no such client: ${name}`);
    return make({ mcpUrl: stack.mcpUrl, redirectUrl: callback.url, identity });
  };

  // A run takes one of the two for each agent, and the next one perhaps the other; the long lane both.
  for (const [i, name] of Object.keys(AGENTS).entries()) {
    if (isChosen(2, i))
      it(`${name}: registers itself, signs in with password and code, uses and refreshes its tokens`, async () => {
        const [agent, person] = [newAgent(name, { kind: 'registers-itself' }), await newPerson(browser)];
        await useAgent(agent, person, await newUser(stack, tenant.tenantId), withPassword);
        await Promise.all([agent.close(), person.close()]);
      });

    if (isChosen(2, i + 1))
      it(`${name}: is known already, signs in with a passkey, uses and refreshes its tokens`, async () => {
        const clientId = await register(stack, { redirect_uris: [callback.url] });
        const [agent, person] = [newAgent(name, { kind: 'known', clientId }), await newPerson(browser)];
        const user = await newUser(stack, tenant.tenantId);
        await person.open(user.enrollUrl);
        await person.createPasskey();
        await person.page.getByRole('heading', { name: 'All set' }).waitFor();
        await useAgent(agent, person, user, withPasskey);
        await Promise.all([agent.close(), person.close()]);
      });
  }

  for (const [name, call] of Object.entries(WITHOUT_A_PERSON)) {
    it(`${name}: connects without a person, by client_credentials`, () =>
      call(stack.mcpUrl, tenant.credentials));
  }
});
