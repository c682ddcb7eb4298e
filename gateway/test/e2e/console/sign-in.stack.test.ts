import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { admin } from '../../../../deploy/local/src/seed/admin.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { untilCounts } from '../../console/support/until-counts.ts';
import { CHROMIUM_TIMEOUT_MS } from '../sign-in/chromium/launch.ts';
import { sharedChromium } from '../sign-in/chromium/shared.ts';
import { listenForCallback } from '../sign-in/support/callback.ts';
import { CLIENT_NAME } from '../sign-in/support/clients/client.ts';
import { oauth4webapiClient } from '../sign-in/support/clients/oauth4webapi.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { newTenant } from '../support/tenant.ts';
import { atConsole, newConsoleUser, signedInAs, type ConsolePerson } from './support/people.ts';

describe('Signing in to the console', function () {
  this.timeout(CHROMIUM_TIMEOUT_MS + STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let browser: Browser;
  let tenantId: string;
  let person: ConsolePerson | null = null;

  before(async () => {
    browser = await sharedChromium();
    stack = await sharedStack();
    ({ tenantId } = await newTenant(stack));
  });
  afterEach(async () => {
    await person?.close();
    person = null;
  });

  const accountMenu = (email: string) => person!.page.getByRole('button', { name: `Account of ${email}` });

  it('works with password and code, and comes back to the page that was asked for', async () => {
    const user = await newConsoleUser(stack, tenantId, 'member');
    person = await atConsole(browser, stack);
    await person.open(`${stack.consoleUrl}/agents`);
    await person.signInWithPassword(user);
    await person.page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    await accountMenu(user.email).waitFor();
  });

  it('works with a passkey, and leaves no token where a script could read it', async () => {
    const user = await newConsoleUser(stack, tenantId, 'member', 'at-sign-in');
    person = await atConsole(browser, stack);
    await person.open(`${stack.consoleUrl}/agents`);
    await person.signInWithPassword(user);
    await person.page.getByRole('heading', { level: 1, name: 'Secure your account' }).waitFor();
    await person.createPasskey();
    await accountMenu(user.email).waitFor();
    await accountMenu(user.email).click();
    await person.press('Sign out');
    await person.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await person.signInWithPasskey();
    await accountMenu(user.email).waitFor();
    const readable = await person.page.evaluate(
      'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])',
    );
    expect(readable).to.not.match(/ey[\w-]+\.ey/);
    expect(await person.page.evaluate('document.cookie')).to.equal('');
  });

  it('shows the user’s own session, and ends all of them at once', async () => {
    const user = await newConsoleUser(stack, tenantId, 'member');
    const other = await signedInAs(browser, stack, user);
    person = await atConsole(browser, stack);
    await person.open(`${stack.consoleUrl}/account`);
    await person.signInWithNextCode(user);
    await person.page.getByText('this browser').waitFor();
    expect(await person.page.getByRole('button', { name: /^End the session/ }).count()).to.equal(1);
    await person.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await person.page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await person.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect((await other.ask('/console/api/session')).status).to.equal(401);
    await other.close();
  });

  it('removes a passkey, which then signs in no more', async () => {
    const user = await newConsoleUser(stack, tenantId, 'member');
    person = await atConsole(browser, stack);
    await person.open(user.enrollUrl);
    await person.createPasskey();
    await person.page.getByRole('heading', { level: 1, name: 'All set' }).waitFor();
    await person.open(`${stack.consoleUrl}/account`);
    await person.signInWithPassword(user);
    await person.page.getByRole('button', { name: /^Remove the passkey of/ }).click();
    await person.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await person.page.getByText('The passkey is removed').waitFor();
    await person.page.getByRole('button', { name: /^Remove the passkey of/ }).waitFor({ state: 'detached' });
    await accountMenu(user.email).click();
    await person.press('Sign out');
    await person.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await person.signInWithPasskey();
    expect(await person.problem()).to.not.equal('');
    await person.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  });

  it('shows the agent that its user allowed, and ends it', async () => {
    const user = await newConsoleUser(stack, tenantId, 'member');
    const callback = await listenForCallback();
    const identity = { kind: 'registers-itself' } as const;
    const agent = oauth4webapiClient({ mcpUrl: stack.mcpUrl, redirectUrl: callback.url, identity });
    person = await signedInAs(browser, stack, user);
    const { page } = person;
    await agent.connect(async (url) => {
      await page.goto(url.href);
      await page.getByRole('button', { name: 'Allow' }).click();
      return callback.arrival();
    });
    await callback.close();
    await agent.callTool();
    await person.show('agents', 'Agents');
    await page.getByRole('rowheader', { name: CLIENT_NAME }).waitFor();
    await page.getByRole('button', { name: `Revoke ${CLIENT_NAME}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('None at present').waitFor();
    const outcome = (): Promise<string> =>
      agent.callTool().then(
        () => 'answered',
        () => 'refused',
      );
    await untilCounts(async () => (await outcome()) === 'refused');
    await agent.close();
  });

  it('is over within three seconds for a person who was disabled', async () => {
    const user = await newConsoleUser(stack, tenantId, 'member');
    person = await signedInAs(browser, stack, user);
    expect((await person.ask('/console/api/session')).status).to.equal(200);
    await admin(stack.dataDir, 'user', 'disable', '--user', user.userId);
    await untilCounts(async () => (await person!.ask('/v1/schemas')).status === 401);
    expect((await person.ask('/console/api/session')).status).to.equal(401);
  });
});
