/** How all cookies of the hosted pages are named, sent and read. */
import { createHmac, timingSafeEqual } from 'node:crypto';

interface CookieJar {
  /** A cookie's full name: `__Host-penstock-<name>` over https. */
  nameOf(name: string): string;
  /** A Set-Cookie value. Without `maxAgeS` it goes with the browser; 0 deletes it. */
  set(name: string, value: string, maxAgeS?: number): string;
  /** All values of a cookie: a browser can be made to send several of one name. */
  valuesIn(cookieHeader: string, name: string): readonly string[];
}

/** Where the pages are served over plain http (a local stack), `__Host-` cookies can't be set: the prefix is left out. */
export function createCookieJar(mcpUrl: string): CookieJar {
  const secure = new URL(mcpUrl).protocol === 'https:';
  const nameOf = (name: string): string => `${secure ? '__Host-' : ''}penstock-${name}`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return Object.freeze({
    nameOf,
    set(name: string, value: string, maxAgeS?: number): string {
      const age = maxAgeS === undefined ? '' : `; Max-Age=${maxAgeS}`;
      return `${nameOf(name)}=${value}; ${attributes}${age}`;
    },
    valuesIn(cookieHeader: string, name: string): readonly string[] {
      const start = `${nameOf(name)}=`;
      return cookieHeader
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(start))
        .map((pair) => pair.slice(start.length));
    },
  });
}

/** Characters of a MAC that tell one cookie's name from another's. */
const TAG_CHARS = 12;

export const macOf = (key: Uint8Array, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

export const tagOf = (key: Uint8Array, text: string): string => macOf(key, text).slice(0, TAG_CHARS);

/** Compares in constant time. */
export function equal(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
