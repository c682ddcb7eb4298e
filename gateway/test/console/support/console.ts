/** The console as its page uses it, by HTTP: signed in through the hosted login, with cookies and the header. */
import { CONSOLE_HEADER, CONSOLE_HEADER_VALUE } from '../../../src/console/api/protocol.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { http, type HttpAnswer, type HttpRequest } from '../../e2e/support/http.ts';
import type { Envelope } from '../../e2e/support/tenant.ts';
import {
  codeOf,
  newBrowser,
  newUser,
  password,
  type TestUser,
  type View,
} from '../../login/support/sign-in.ts';

export type TestBrowser = ReturnType<typeof newBrowser>;

/** Somebody who is signed in to the console. */
export interface ConsoleUser {
  readonly user: TestUser;
  readonly browser: TestBrowser;
  /** A request as the page sends it; `headers` replaces what it sends of itself. */
  readonly call: <Body = Envelope>(
    method: string,
    path: string,
    request?: HttpRequest,
  ) => Promise<HttpAnswer<Body>>;
}

export const cookieHeader = ({ jar }: TestBrowser): string =>
  [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

/** What the page sends with each request, and the browser beside it. */
export const pageHeaders = (baseUrl: string, browser: TestBrowser): Record<string, string> => ({
  [CONSOLE_HEADER]: CONSOLE_HEADER_VALUE,
  'sec-fetch-site': 'same-origin',
  origin: new URL(baseUrl).origin,
  cookie: cookieHeader(browser),
});

/** Cookies as the answer changes them. */
function take({ jar }: TestBrowser, headers: Headers): void {
  for (const line of headers.getSetCookie()) {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    if (/Max-Age=0/.test(line)) jar.delete(pair.slice(0, at));
    else jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

export const credentialsOf = (user: TestUser): Record<string, string> => ({
  email: user.email,
  password,
  code: codeOf(user.totpSecret),
});

/** From the console's sign-in to its page. */
export async function signInWith(
  stack: Pick<RunningStack, 'consoleUrl'>,
  browser: TestBrowser,
  user: TestUser,
  query = '',
): Promise<View> {
  const page = await browser.open(`${stack.consoleUrl}/sign-in${query}`);
  return browser.submit(page, 'password', credentialsOf(user));
}

/** A new user of the tenant, signed in. `baseUrl`: of the gateway that is asked. */
export async function consoleUser(
  stack: RunningStack,
  tenantId: string,
  role: 'admin' | 'member' = 'admin',
): Promise<ConsoleUser> {
  const user = await newUser(stack, tenantId, 'now', role);
  const browser = newBrowser(stack.baseUrl);
  await signInWith(stack, browser, user);
  return { user, browser, call: callerOf(stack.baseUrl, stack.baseUrl, browser) };
}

/** Requests of the page at one gateway; `siteUrl` is where the browser believes to be. */
export function callerOf(gatewayUrl: string, siteUrl: string, browser: TestBrowser): ConsoleUser['call'] {
  return async <Body>(method: string, path: string, request: HttpRequest = {}) => {
    const answer = await http<Body>(method, `${gatewayUrl}${path}`, {
      ...request,
      headers: { ...pageHeaders(siteUrl, browser), ...request.headers },
    });
    take(browser, answer.headers);
    return answer;
  };
}
