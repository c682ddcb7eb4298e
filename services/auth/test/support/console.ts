/** Signs in to the console as the gateway does. */
import { CONSOLE_CLIENT_ID, callbackOf } from '../../src/console/console-client.ts';
import { consoleUrl } from './auth-server.ts';
import type { TestReplica } from './auth-server.ts';
import type { MovableClock } from './clock.ts';
import { authorized, codeIn, newPkce, remoteAddress } from './sign-in.ts';
import type { TestUser } from './sign-in.ts';

/** What the hosted login gives the console for a user. */
export async function consoleCode(replica: TestReplica, user: TestUser, clock: MovableClock) {
  const pkce = newPkce();
  const change = { redirectUri: callbackOf(consoleUrl) };
  const options = { clientId: CONSOLE_CLIENT_ID, pkce, user, clock, change };
  return { code: codeIn(await authorized(replica, options)), codeVerifier: pkce.verifier };
}

/** A session's token, from a fresh sign-in. */
export async function consoleSession(
  replica: TestReplica,
  user: TestUser,
  clock: MovableClock,
  previousSessionToken = '',
): Promise<string> {
  const code = await consoleCode(replica, user, clock);
  const userAgent = 'Mozilla/5.0 (test)';
  const begun = await replica.consoleSessions.beginSession({
    ...{ ...code, userAgent, remoteAddress, previousSessionToken },
  });
  return begun.sessionToken;
}
