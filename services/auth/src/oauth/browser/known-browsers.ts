import { randomBytes } from 'node:crypto';
import type { Clock } from '@penstock/common/time/clock.ts';
import { KNOWN_BROWSER_LIFETIME_S } from '../../limits.ts';
import { createCookieJar, equal, macOf, tagOf } from './cookie-jar.ts';

/**
 * Tells browsers that have signed in to an account from those that never did, by a cookie. The cookie lets nobody in.
 * Wrong tries of such a browser are counted apart from those of strangers, so that strangers cannot lock its owner
 * out.
 */
export interface KnownBrowsers {
  /** Names the browser among those of the user; null where it is not known to have signed in as that user. */
  knownIn(cookieHeader: string, userId: string): string | null;
  /** A Set-Cookie value for a browser that has just signed in. */
  remember(userId: string): string;
}

const NAME_BYTES = 12;

/** Nothing is stored: the cookie's value is name, time and a MAC over both and the account. */
export function createKnownBrowsers(options: {
  keys: readonly Uint8Array[];
  mcpUrl: string;
  clock: Clock;
}): KnownBrowsers {
  const { keys, clock } = options;
  const [current] = keys;
  if (current === undefined) throw new Error('Cookies need a key');
  const jar = createCookieJar(options.mcpUrl);
  const nowS = (): number => Math.floor(clock.now() / 1000);
  const nameOf = (key: Uint8Array, userId: string): string =>
    `browser-${tagOf(key, `browser-name:${userId}`)}`;
  const valueOf = (key: Uint8Array, userId: string, browser: string, atS: string): string =>
    `${browser}.${atS}.${macOf(key, `known-browser:${userId}:${browser}:${atS}`)}`;

  return Object.freeze({
    knownIn(cookieHeader: string, userId: string): string | null {
      for (const key of keys) {
        for (const value of jar.valuesIn(cookieHeader, nameOf(key, userId))) {
          const [browser = '', atS = ''] = value.split('.');
          const isOurs = equal(value, valueOf(key, userId, browser, atS));
          if (isOurs && Number(atS) + KNOWN_BROWSER_LIFETIME_S > nowS()) return browser;
        }
      }
      return null;
    },
    remember(userId: string): string {
      const browser = randomBytes(NAME_BYTES).toString('base64url');
      const value = valueOf(current, userId, browser, String(nowS()));
      return jar.set(nameOf(current, userId), value, KNOWN_BROWSER_LIFETIME_S);
    },
  });
}
