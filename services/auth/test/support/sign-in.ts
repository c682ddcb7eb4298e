/** Drives the authorization server as a gateway and a browser together would. */
import { createHash, randomBytes } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Interaction } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import type {
  AuthorizationStep,
  BeginAuthorizationRequestSchema,
  ExchangeTokenResponse,
  OAuthError,
  TokenGranted,
} from '@penstock/common/gen/penstock/auth/v1/oauth_pb.js';
import { Secret, TOTP } from 'otpauth';
import type { TestReplica } from './auth-server.ts';
import type { MovableClock } from './clock.ts';

export const remoteAddress = '192.0.2.7';
export const redirectUri = 'http://127.0.0.1:3000/callback';

/** Cookies as a browser keeps them. */
export interface TestBrowser {
  header(): string;
  take(setCookies: readonly string[]): void;
  readonly jar: Map<string, string>;
}

export function newBrowser(): TestBrowser {
  const jar = new Map<string, string>();
  return {
    jar,
    header: () => [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    take(setCookies) {
      for (const line of setCookies) {
        const [pair = ''] = line.split(';');
        const at = pair.indexOf('=');
        if (/Max-Age=0/.test(line)) jar.delete(pair.slice(0, at));
        else jar.set(pair.slice(0, at), pair.slice(at + 1));
      }
    },
  };
}

interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export const registration = {
  client_name: 'Test agent',
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

export async function register(replica: TestReplica, change: object = {}): Promise<string> {
  const { result } = await replica.oauth.registerClient({
    metadataJson: JSON.stringify({ ...registration, ...change }),
    remoteAddress,
  });
  if (result.case !== 'clientJson') throw new Error(`not registered: ${result.value?.errorDescription}`);
  return (JSON.parse(result.value) as { client_id: string }).client_id;
}

/** The code that an authenticator app shows. */
export function codeOf(totpSecret: string, clock: MovableClock): string {
  return new TOTP({ secret: Secret.fromBase32(totpSecret) }).generate({ timestamp: clock.now() });
}

/** Undefined: left out of the request. */
export interface AuthorizeChange {
  readonly responseType?: string | undefined;
  readonly clientId?: string | undefined;
  readonly redirectUri?: string | undefined;
  readonly scope?: string;
  readonly state?: string | undefined;
  readonly codeChallenge?: string | undefined;
  readonly codeChallengeMethod?: string | undefined;
  readonly prompt?: string;
  readonly responseMode?: string;
  readonly resource?: readonly string[];
}

export function authorize(
  replica: TestReplica,
  browser: TestBrowser,
  request: { clientId: string; pkce: Pkce },
  change: AuthorizeChange = {},
): Promise<AuthorizationStep> {
  const parameters = {
    responseType: 'code',
    clientId: request.clientId,
    redirectUri,
    state: 'the-state',
    codeChallenge: request.pkce.challenge,
    codeChallengeMethod: 'S256',
    cookieHeader: browser.header(),
    ...change,
  };
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const message: MessageInitShape<typeof BeginAuthorizationRequestSchema> = Object.fromEntries(given);
  return replica.oauth.beginAuthorization(message);
}

export function redirectOf(browser: TestBrowser, step: AuthorizationStep): URL {
  browser.take(step.setCookies);
  if (step.next.case !== 'redirectUrl') throw new Error(`no redirect: ${step.next.value?.errorDescription}`);
  return new URL(step.next.value);
}

export function errorOf(step: AuthorizationStep): OAuthError {
  if (step.next.case !== 'error') throw new Error('an error was expected');
  return step.next.value;
}

export const interactionIdOf = (login: URL): string => login.searchParams.get('interaction') ?? '';

/** Begins a sign-in in the browser, and gives the ID of its interaction. */
export async function begunSignIn(
  replica: TestReplica,
  browser: TestBrowser,
  request: { clientId: string; pkce: Pkce },
  change: AuthorizeChange = {},
): Promise<string> {
  return interactionIdOf(redirectOf(browser, await authorize(replica, browser, request, change)));
}

export function pageOf(
  replica: TestReplica,
  browser: TestBrowser,
  interactionId: string,
): Promise<Interaction> {
  return replica.login.getInteraction({ browser: { interactionId, cookieHeader: browser.header() } });
}

export async function formOf(replica: TestReplica, browser: TestBrowser, interactionId: string) {
  const { csrfToken } = await pageOf(replica, browser, interactionId);
  return { browser: { interactionId, cookieHeader: browser.header() }, csrfToken };
}

/** A user who can sign in. */
export interface TestUser {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  readonly totpSecret: string;
  readonly enrollmentToken: string;
}

export async function newUser(
  replica: TestReplica,
  tenantId: string,
  change: { email?: string; role?: string; password?: string } = {},
): Promise<TestUser> {
  const password = change.password ?? 'correct horse battery';
  const email = change.email ?? `${randomBytes(4).toString('hex')}@example.com`;
  const request = { tenantId, email, role: change.role ?? 'member', password };
  const made = await replica.admin.createUser(request, replica.operator);
  return {
    userId: made.user?.userId ?? '',
    email,
    password,
    totpSecret: made.totpSecret,
    enrollmentToken: new URL(made.enrollUrl).searchParams.get('token') ?? '',
  };
}

export async function signIn(
  replica: TestReplica,
  browser: TestBrowser,
  interactionId: string,
  user: TestUser,
  clock: MovableClock,
) {
  // A code works once.
  clock.forward(30);
  const step = await replica.login.signInWithPassword({
    form: await formOf(replica, browser, interactionId),
    email: user.email,
    password: user.password,
    code: codeOf(user.totpSecret, clock),
    remoteAddress,
  });
  browser.take(step.setCookies);
  return step;
}

/** From GET /authorize to the client's redirect URI, with everything right. */
export async function authorized(
  replica: TestReplica,
  options: {
    browser?: TestBrowser;
    clientId: string;
    pkce: Pkce;
    user: TestUser;
    clock: MovableClock;
    change?: AuthorizeChange;
  },
): Promise<URL> {
  const { browser = newBrowser(), user, clock, change } = options;
  const id = await begunSignIn(replica, browser, options, change);
  const { problem } = await signIn(replica, browser, id, user, clock);
  if (problem !== undefined) throw new Error(problem.message);
  const form = await formOf(replica, browser, id);
  return redirectOf(browser, await replica.login.decideConsent({ form, allow: true }));
}

export const codeIn = (callback: URL): string => {
  const code = callback.searchParams.get('code');
  if (code === null) throw new Error(`no code: ${callback.search}`);
  return code;
};

export function redeem(
  replica: TestReplica,
  request: { clientId: string; code: string; verifier?: string | undefined; redirectUri?: string },
): Promise<ExchangeTokenResponse> {
  const { clientId, code, verifier } = request;
  const value = {
    code,
    redirectUri: request.redirectUri ?? redirectUri,
    ...(verifier === undefined ? {} : { codeVerifier: verifier }),
  };
  return replica.oauth.exchangeToken({
    client: { clientId },
    grant: { case: 'authorizationCode', value },
    remoteAddress,
  });
}

export function refresh(
  replica: TestReplica,
  request: { clientId: string; refreshToken: string; scope?: string },
): Promise<ExchangeTokenResponse> {
  const { clientId, refreshToken, scope } = request;
  return replica.oauth.exchangeToken({
    client: { clientId },
    grant: { case: 'refreshToken', value: { refreshToken } },
    ...(scope === undefined ? {} : { scope }),
    remoteAddress,
  });
}

export function granted(response: ExchangeTokenResponse): TokenGranted {
  const { result } = response;
  if (result.case !== 'granted') throw new Error(`no token: ${result.value?.errorDescription}`);
  return result.value;
}

export function refusalOf(response: ExchangeTokenResponse): OAuthError {
  if (response.result.case !== 'error') throw new Error('an error was expected');
  return response.result.value;
}

/** Code and status of an error. */
export const brief = ({ error, httpStatus }: OAuthError): string => `${httpStatus} ${error}`;
