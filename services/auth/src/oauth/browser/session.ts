import type Provider from 'oidc-provider';
import type { Accounts } from '../accounts.ts';
import type { BrowserCookies } from './cookies.ts';

/** A browser that is signed in. */
export interface BrowserSession {
  readonly sessionId: string;
  readonly accountId: string;
}

/** The session of a browser, if its user is still active and has not signed out since. oidc-provider gets no other session. */
export async function browserSession(
  options: { provider: Provider; accounts: Accounts; cookies: BrowserCookies },
  cookieHeader: string,
): Promise<BrowserSession | null> {
  const { provider, accounts, cookies } = options;
  const sessionId = cookies.sessionIn(cookieHeader);
  if (sessionId === null) return null;
  const session = await provider.Session.find(sessionId);
  const accountId = session?.accountId;
  const user = accountId === undefined ? null : await accounts.activeUser(accountId);
  if (accountId === undefined || user === null) return null;
  if ((session?.loginTs ?? 0) <= user.signedOutAtS) return null;
  return { sessionId, accountId };
}
