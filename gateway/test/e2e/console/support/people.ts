/** People of a tenant who use the console, each with a browser of their own. */
import { Secret, TOTP } from 'otpauth';
import type { Browser } from 'playwright-core';
import type { RunningStack } from '../../../../../deploy/local/src/stack/stack.ts';
import type { Role } from '../../../../src/console/api/session.ts';
import { newUser, password, type TestUser } from '../../../login/support/sign-in.ts';
import { newPerson, type Person } from '../../sign-in/support/person.ts';

const STEP_MS = 30_000;

/** Made by an operator, with a password and a one-time code. */
export const newConsoleUser = (
  stack: RunningStack,
  tenantId: string,
  role: Role,
  secondFactor: 'now' | 'at-sign-in' = 'now',
): Promise<TestUser> => newUser(stack, tenantId, secondFactor, role);

export interface ConsolePerson extends Person {
  /** With the code that the app will show next: each signs in once. */
  signInWithNextCode(user: TestUser): Promise<void>;
  /** A page below /console, once its heading stands. */
  show(path: string, heading: string | RegExp): Promise<void>;
  /** What an endpoint answers to this page's session, with the console's header or without. */
  ask(
    path: string,
    options?: { readonly method?: string; readonly body?: unknown; readonly bare?: boolean },
  ): Promise<{
    readonly status: number;
    readonly body: {
      readonly success?: boolean;
      readonly error?: { readonly code: string };
      readonly data?: unknown;
    };
  }>;
}

/** Somebody at the console, not signed in yet. */
export async function atConsole(browser: Browser, stack: RunningStack): Promise<ConsolePerson> {
  const person = await newPerson(browser);
  const { page } = person;
  return {
    ...person,
    signInWithNextCode: async (user) => {
      await page.getByLabel('E-mail address').fill(user.email);
      await page.getByLabel('Password').fill(password);
      const code = new TOTP({ secret: Secret.fromBase32(user.totpSecret) });
      await page.getByLabel('One-time code').fill(code.generate({ timestamp: Date.now() + STEP_MS }));
      await person.press('Sign in');
    },
    show: async (path, heading) => {
      await page.goto(`${stack.consoleUrl}/${path}`);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    },
    ask: async (path, { method = 'GET', body, bare = false } = {}) =>
      page.evaluate(
        async ([url, init]) => {
          const response = await fetch(url, init);
          return { status: response.status, body: (await response.json().catch(() => ({}))) as object };
        },
        [
          path,
          {
            method,
            headers: {
              ...(bare ? {} : { 'x-penstock-console': '1' }),
              ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          },
        ] as const,
      ),
  };
}

/** Somebody who has signed in with password and code, at the console's first page. */
export async function signedInAs(
  browser: Browser,
  stack: RunningStack,
  user: TestUser,
): Promise<ConsolePerson> {
  const person = await atConsole(browser, stack);
  await person.open(stack.consoleUrl);
  await person.signInWithPassword(user);
  await person.page.getByRole('navigation', { name: 'Pages' }).first().waitFor();
  return person;
}
