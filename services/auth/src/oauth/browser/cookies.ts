/**
 * The cookies of the hosted pages. oidc-provider's own stay in this process: its names and paths don't go with `__Host-`,
 * and two sign-ins in two tabs would share one. A browser gets
 *
 * - the session: `__Host-penstock-session`, once signed in;
 * - for each interaction `__Host-penstock-sign-in-<tag>`: a MAC over the interaction's ID and its round, so that only the
 *   browser that began it goes on with it. The round changes when somebody signs in: whoever knew cookie or form before
 *   cannot use what the sign-in has earned;
 * - `__Host-penstock-browser-<tag>` for each account that signed in there (`known-browsers.ts`).
 */
import { INTERACTION_LIFETIME_S } from '../../limits.ts';
import { createCookieJar, equal, macOf, tagOf } from './cookie-jar.ts';

export interface BrowserCookies {
  /** The session ID; null for none. */
  sessionIn(cookieHeader: string): string | null;
  /**
   * The rounds of the interaction that the browser has been in: empty text before anybody signed in. While keys change, it
   * may hold a cookie of each. None: the browser is not the one that began it.
   */
  roundsIn(cookieHeader: string, interactionId: string): readonly string[];
  /** Set-Cookie values. */
  setSession(sessionId: string): string;
  clearSession(): string;
  setInteraction(interactionId: string, round?: string): string;
  clearInteraction(interactionId: string): readonly string[];
  /** For the forms of the interaction. */
  csrfToken(interactionId: string, round: string): string;
  csrfMatches(interactionId: string, round: string, token: string): boolean;
}

/** Cookies and forms are made with the first key; those made with any of them are good. */
export function createBrowserCookies(options: {
  keys: readonly Uint8Array[];
  mcpUrl: string;
}): BrowserCookies {
  const { keys } = options;
  const [current] = keys;
  if (current === undefined) throw new Error('Cookies need a key');
  const jar = createCookieJar(options.mcpUrl);
  const nameOf = (id: string, key = current): string => `sign-in-${tagOf(key, `name:${id}`)}`;
  const csrfOf = (id: string, round: string, key = current): string => macOf(key, `csrf:${id}:${round}`);
  const valueOf = (id: string, round: string, key = current): string =>
    `${round}.${macOf(key, `browser:${id}:${round}`)}`;
  const roundOf = (value: string): string => value.slice(0, Math.max(0, value.indexOf('.')));

  return Object.freeze({
    sessionIn: (header: string): string | null => {
      const [value = ''] = jar.valuesIn(header, 'session');
      return /^[\w-]{16,128}$/.test(value) ? value : null;
    },
    roundsIn: (header: string, id: string): readonly string[] =>
      keys.flatMap((key) =>
        jar
          .valuesIn(header, nameOf(id, key))
          .filter((value) => equal(value, valueOf(id, roundOf(value), key)))
          .map(roundOf),
      ),
    setSession: (id: string): string => jar.set('session', id),
    clearSession: (): string => jar.set('session', '', 0),
    setInteraction: (id: string, round = ''): string =>
      jar.set(nameOf(id), valueOf(id, round), INTERACTION_LIFETIME_S),
    clearInteraction: (id: string): readonly string[] => keys.map((key) => jar.set(nameOf(id, key), '', 0)),
    csrfToken: (id: string, round: string): string => csrfOf(id, round),
    csrfMatches: (id: string, round: string, token: string): boolean =>
      keys.some((key) => equal(token, csrfOf(id, round, key))),
  });
}
