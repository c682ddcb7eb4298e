/** Somebody with a browser, and the things a person does on the hosted pages: by what they see, not by markup. */
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { codeOf, password, type TestUser } from '../../../login/support/sign-in.ts';

const PATIENCE_MS = 20_000;

export interface Person {
  readonly page: Page;
  open(url: string | URL): Promise<void>;
  /** What the page's heading says. */
  heading(): Promise<string>;
  /** What the page complains about, when it has said so. */
  problem(): Promise<string>;
  signInWithPassword(user: TestUser): Promise<void>;
  signInWithPasskey(): Promise<void>;
  /** On a page that offers it. */
  createPasskey(): Promise<void>;
  press(button: string): Promise<void>;
  close(): Promise<void>;
}

/** A device with a fingerprint reader, whose owner has just touched it. */
async function addAuthenticator(context: BrowserContext, page: Page): Promise<CDPSession> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return session;
}

/** A browser of their own: no cookie of anybody else's. */
export async function newPerson(browser: Browser): Promise<Person> {
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await addAuthenticator(context, page);
  const heading = page.getByRole('heading', { level: 1 });
  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  return {
    page,
    open: async (url) => void (await page.goto(String(url))),
    heading: async () => (await heading.innerText()).replaceAll(/\s+/g, ' '),
    problem: async () => page.getByRole('alert').filter({ visible: true }).first().innerText(),
    async signInWithPassword(user) {
      await page.getByLabel('E-mail address').fill(user.email);
      await page.getByLabel('Password').fill(password);
      if (user.totpSecret !== '') await page.getByLabel('One-time code').fill(codeOf(user.totpSecret));
      await press('Sign in');
    },
    signInWithPasskey: () => press('Sign in with a passkey'),
    createPasskey: () => press('Create a passkey'),
    press,
    close: () => context.close(),
  };
}
