import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { codeOf, newFlow, newUser, register, type TestUser } from '../../login/support/sign-in.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { newTenant } from '../support/tenant.ts';
import { CHROMIUM_TIMEOUT_MS } from './chromium/launch.ts';
import { sharedChromium } from './chromium/shared.ts';
import { listenForCallback, type Callback } from './support/callback.ts';
import { newPerson, type Person } from './support/person.ts';

const EXPIRED = 'This sign-in has expired or was completed. Go back to the application and start again.';

describe('A person at the hosted pages', function () {
  this.timeout(CHROMIUM_TIMEOUT_MS + STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenantId: string;
  let clientId: string;
  let browser: Browser;
  let callback: Callback;
  let person: Person;

  before(async () => {
    [browser, stack, callback] = await Promise.all([sharedChromium(), sharedStack(), listenForCallback()]);
    ({ tenantId } = await newTenant(stack));
    clientId = await register(stack, { redirect_uris: [callback.url] });
  });
  beforeEach(async () => {
    person = await newPerson(browser);
  });
  afterEach(() => person.close());
  after(() => callback?.close());

  const authorizeUrl = (change: Record<string, string> = {}): string =>
    newFlow(stack, clientId, { redirect_uri: callback.url, ...change }).authorizeUrl;

  const untilHeading = (name: string | RegExp): Promise<void> =>
    person.page.getByRole('heading', { level: 1, name }).waitFor();

  async function toConsent(user: TestUser): Promise<void> {
    await person.open(authorizeUrl());
    await person.signInWithPassword(user);
    await untilHeading(/^Allow/);
  }

  const codeArrived = async (): Promise<void> => {
    expect((await callback.arrival()).searchParams.get('code')).to.be.a('string');
  };

  it('enrolls an authenticator app at the first sign-in, from the key beside the QR code', async () => {
    const user = await newUser(stack, tenantId, 'at-sign-in');
    await person.open(authorizeUrl());
    await person.signInWithPassword(user);
    await untilHeading('Secure your account');
    expect(await person.page.getByRole('img', { name: /^QR code/ }).isVisible()).to.equal(true);
    await person.page.getByText("Can't scan it?").click();
    const secret = (await person.page.locator('.secret').innerText()).replaceAll(' ', '');
    await person.page.getByLabel('One-time code').fill('000000');
    await person.press('Confirm code');
    expect(await person.problem()).to.include('not the code of this authenticator');
    await person.page.getByLabel('One-time code').fill(codeOf(secret));
    await person.press('Confirm code');
    await untilHeading(/^Allow/);
    await person.press('Allow');
    await codeArrived();
  });

  it('enrolls a passkey at the first sign-in, and signs in with it from then on', async () => {
    const user = await newUser(stack, tenantId, 'at-sign-in');
    await person.open(authorizeUrl());
    await person.signInWithPassword(user);
    await untilHeading('Secure your account');
    await person.createPasskey();
    await untilHeading(/^Allow/);
    await person.press('Allow');
    await codeArrived();

    await person.open(authorizeUrl({ prompt: 'login' }));
    await person.signInWithPasskey();
    await untilHeading(/^Allow/);
    expect(await person.page.getByText(user.email).isVisible()).to.equal(true);
  });

  it('stays signed in, is asked again where the application wants that, and always decides', async () => {
    await toConsent(await newUser(stack, tenantId));
    await person.press('Allow');
    await codeArrived();
    await person.open(authorizeUrl());
    expect(await person.heading()).to.match(/^Allow/);
    await person.open(authorizeUrl({ prompt: 'login' }));
    expect(await person.heading()).to.equal('Sign in');
  });

  it('takes another account at the consent', async () => {
    const [first, second] = [await newUser(stack, tenantId), await newUser(stack, tenantId)];
    await toConsent(first);
    await person.press('Allow');
    await codeArrived();
    await person.open(authorizeUrl());
    await person.press('Use another account');
    await untilHeading('Sign in');
    await person.signInWithPassword(second);
    await untilHeading(/^Allow/);
    expect(await person.page.getByText(second.email).isVisible()).to.equal(true);
    await person.press('Allow');
    await codeArrived();
    await person.open(authorizeUrl());
    expect(await person.page.getByText(second.email).isVisible()).to.equal(true);
  });

  it('sends the application a no, from the consent and from before', async () => {
    await toConsent(await newUser(stack, tenantId));
    await person.press('Deny');
    expect((await callback.arrival()).searchParams.get('error')).to.equal('access_denied');

    await person.open(authorizeUrl());
    await person.press('Cancel');
    expect((await callback.arrival()).searchParams.get('error')).to.equal('access_denied');

    await person.open(authorizeUrl());
    await person.signInWithPassword(await newUser(stack, tenantId, 'at-sign-in'));
    await untilHeading('Secure your account');
    await person.press('Cancel');
    expect((await callback.arrival()).searchParams.get('error')).to.equal('access_denied');
  });

  it('goes back after the sign-in and sees where it stands; after the decision, that it is over', async () => {
    await toConsent(await newUser(stack, tenantId));
    const consentUrl = person.page.url();
    await person.page.goBack();
    await person.page.reload();
    await untilHeading(/^Allow/);
    await person.press('Allow');
    await codeArrived();
    await person.open(consentUrl);
    expect(await person.heading()).to.equal('Sign-in cannot continue');
    expect(await person.problem()).to.equal(EXPIRED);
  });

  it('is told in plain words about a tab that was left open', async () => {
    const user = await newUser(stack, tenantId);
    await person.open(authorizeUrl());
    const stale = await person.page.context().newPage();
    await stale.goto(person.page.url());
    await person.signInWithPassword(user);
    await untilHeading(/^Allow/);
    await person.press('Allow');
    await codeArrived();
    await stale.getByLabel('E-mail address').fill(user.email);
    await stale.getByLabel('Password').fill('x');
    await stale.getByRole('button', { name: 'Sign in', exact: true }).click();
    expect(await stale.getByRole('alert').first().innerText()).to.equal(EXPIRED);
  });

  it('is told what became of a passkey that was cancelled, and can go on otherwise', async () => {
    const user = await newUser(stack, tenantId);
    await person.open(authorizeUrl());
    // There is no passkey on this device.
    await person.signInWithPasskey();
    expect(await person.problem()).to.include('The passkey was not used');
    await person.signInWithPassword(user);
    await untilHeading(/^Allow/);
  });
});
