import type { Exchange } from '../../http/exchange.ts';

/** The console's two cookies in a browser. */
export interface ConsoleCookies {
  /** Of the session; null for none. */
  session(exchange: Exchange): string | null;
  /** What a sign-in that is under way keeps; null for none. */
  signIn(exchange: Exchange): string | null;
  /** Adds a Set-Cookie header; without a value, one that deletes it. */
  setSession(exchange: Exchange, value: string | null, maxAgeS: number): void;
  setSignIn(exchange: Exchange, value: string | null, maxAgeS: number): void;
}

/** Cookies that a browser was made to send twice count for nothing: one of them is not ours. */
function valueIn({ request }: Exchange, name: string): string | null {
  const start = `${name}=`;
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
  const [value] = values;
  return value !== undefined && value !== '' && values.length === 1 ? value : null;
}

/**
 * `__Host-` cookies over https: no other host and no plain http can set them. A local stack is served over plain http, where
 * browsers take neither the prefix nor Secure; there the port is in the name, since cookies are not kept apart by ports.
 *
 * The session's is SameSite=Strict. That of a sign-in has to come along when the hosted login, which may be on another
 * site, sends the browser back: Lax.
 */
export function createConsoleCookies(consoleUrl: string): ConsoleCookies {
  const { protocol, port } = new URL(consoleUrl);
  const isSecure = protocol === 'https:';
  const nameOf = (name: string): string =>
    isSecure ? `__Host-penstock-${name}` : `penstock-${name}-${port === '' ? '80' : port}`;
  const [session, signIn] = [nameOf('console'), nameOf('console-sign-in')];
  const set = (exchange: Exchange, name: string, site: string, value: string | null, maxAgeS: number) =>
    void exchange.response.append(
      'set-cookie',
      `${name}=${value ?? ''}; Path=/; HttpOnly; SameSite=${site}; Max-Age=${value === null ? 0 : maxAgeS}` +
        (isSecure ? '; Secure' : ''),
    );
  return Object.freeze({
    session: (exchange: Exchange) => valueIn(exchange, session),
    signIn: (exchange: Exchange) => valueIn(exchange, signIn),
    setSession: (exchange: Exchange, value: string | null, maxAgeS: number) =>
      set(exchange, session, 'Strict', value, maxAgeS),
    setSignIn: (exchange: Exchange, value: string | null, maxAgeS: number) =>
      set(exchange, signIn, 'Lax', value, maxAgeS),
  });
}
