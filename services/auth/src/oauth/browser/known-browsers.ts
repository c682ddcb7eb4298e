import { randomBytes } from 'node:crypto';
import type { Clock } from '@penstock/common/time/clock.ts';
import { KNOWN_BROWSER_LIFETIME_S } from '../../limits.ts';
import { accountKeyOf } from '../../store/emails.ts';
import { createCookieJar, equal, macOf, tagOf } from './cookie-jar.ts';

/**
 * Tells browsers that have signed in to an account from those that never did, by a cookie. The cookie lets nobody in.
 * Wrong tries of such a browser are counted apart from those of strangers, so that strangers cannot lock its owner
 * out.
 */
export interface KnownBrowsers {
  /** Names the browser among those of the account; null where it is not known to have signed in to it. */
  knownIn(cookieHeader: string, email: string): string | null;
  /** A Set-Cookie value for a browser that has just signed in. */
  remember(email: string): string;
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
  const nameOf = (key: Uint8Array, account: string): string =>
    `browser-${tagOf(key, `browser-name:${account}`)}`;
  const valueOf = (key: Uint8Array, account: string, browser: string, atS: string): string =>
    `${browser}.${atS}.${macOf(key, `known-browser:${account}:${browser}:${atS}`)}`;

  return Object.freeze({
    knownIn(cookieHeader: string, email: string): string | null {
      const account = accountKeyOf(email);
      for (const key of keys) {
        for (const value of jar.valuesIn(cookieHeader, nameOf(key, account))) {
          const [browser = '', atS = ''] = value.split('.');
          const isOurs = equal(value, valueOf(key, account, browser, atS));
          if (isOurs && Number(atS) + KNOWN_BROWSER_LIFETIME_S > nowS()) return browser;
        }
      }
      return null;
    },
    remember(email: string): string {
      const account = accountKeyOf(email);
      const browser = randomBytes(NAME_BYTES).toString('base64url');
      const value = valueOf(current, account, browser, String(nowS()));
      return jar.set(nameOf(current, account), value, KNOWN_BROWSER_LIFETIME_S);
    },
  });
}
