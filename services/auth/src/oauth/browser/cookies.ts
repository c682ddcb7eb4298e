/**
 * The cookies of the hosted pages. oidc-provider's own stay in this process: its names and paths don't go with `__Host-`,
 * and two sign-ins in two tabs would share one. A browser gets
 *
 * - the session: `__Host-penstock-session`, once signed in;
 * - for each interaction `__Host-penstock-sign-in-<tag>`: a MAC over the interaction's ID, so that only the browser that
 *   began it goes on with it, and nothing needs to be stored for that.
 *
 * Where the pages are served over plain http (a local stack), `__Host-` cookies can't be set: the prefix is left out.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { interactionLifetimeS } from '../../limits.ts';

export interface BrowserCookies {
  /** The session ID; null for none. */
  sessionIn(cookieHeader: string): string | null;
  /** Whether the browser is the one that began the interaction. */
  owns(cookieHeader: string, interactionId: string): boolean;
  /** Set-Cookie values. */
  setSession(sessionId: string): string;
  clearSession(): string;
  setInteraction(interactionId: string): string;
  clearInteraction(interactionId: string): readonly string[];
  /** For the forms of the interaction. */
  csrfToken(interactionId: string): string;
  csrfMatches(interactionId: string, token: string): boolean;
}

const tagChars = 12;

function equal(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The values of a cookie; a browser can be made to send several of one name. */
function valuesOf(cookieHeader: string, name: string): string[] {
  return cookieHeader
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

/** Cookies and forms are made with the first key; those made with any of them are good. */
export function createBrowserCookies(options: {
  keys: readonly Uint8Array[];
  mcpUrl: string;
}): BrowserCookies {
  const { keys } = options;
  const [current] = keys;
  if (current === undefined) throw new Error('Cookies need a key');
  const secure = new URL(options.mcpUrl).protocol === 'https:';
  const prefix = secure ? '__Host-penstock' : 'penstock';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const mac = (purpose: string, interactionId: string, key = current): string =>
    createHmac('sha256', key).update(`${purpose}:${interactionId}`).digest('base64url');
  const sessionName = `${prefix}-session`;
  const nameOf = (id: string, key = current): string =>
    `${prefix}-sign-in-${mac('name', id, key).slice(0, tagChars)}`;

  return Object.freeze({
    sessionIn: (header: string): string | null => {
      const [value = ''] = valuesOf(header, sessionName);
      return /^[\w-]{16,128}$/.test(value) ? value : null;
    },
    owns: (header: string, id: string): boolean =>
      keys.some((key) =>
        valuesOf(header, nameOf(id, key)).some((value) => equal(value, mac('browser', id, key))),
      ),
    setSession: (id: string): string => `${sessionName}=${id}; ${attributes}`,
    clearSession: (): string => `${sessionName}=; ${attributes}; Max-Age=0`,
    setInteraction: (id: string): string =>
      `${nameOf(id)}=${mac('browser', id)}; ${attributes}; Max-Age=${interactionLifetimeS}`,
    clearInteraction: (id: string): readonly string[] =>
      keys.map((key) => `${nameOf(id, key)}=; ${attributes}; Max-Age=0`),
    csrfToken: (id: string): string => mac('csrf', id),
    csrfMatches: (id: string, token: string): boolean =>
      keys.some((key) => equal(token, mac('csrf', id, key))),
  });
}
