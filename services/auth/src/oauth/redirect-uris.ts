/** Which redirect URIs a client may have, and use (RFC 8252, section 7.3; RFC 9700, section 4.1). */
import { CLIENT_METADATA } from '../limits.ts';

/** `http` is for programs on the user's own machine; the port is theirs to choose at run time. */
const loopback = /^http:\/\/(127\.0\.0\.1|localhost)(?::(\d{1,5}))?((?:[/?][^#\\\s]*)?)$/;
const printable = /^[\x21-\x7e]+$/;

/** Why a client may not have this redirect URI; null where it may. */
export function redirectUriProblem(uri: string): string | null {
  if (uri.length > CLIENT_METADATA.uriCharsMax)
    return `is longer than ${CLIENT_METADATA.uriCharsMax} characters`;
  if (!printable.test(uri) || !URL.canParse(uri)) return 'is not an absolute URI';
  if (uri.includes('#')) return 'has a fragment';
  const { protocol, username, password } = new URL(uri);
  if (username !== '' || password !== '') return 'has user information';
  if (protocol === 'https:') return null;
  if (protocol !== 'http:')
    return `has the scheme ${protocol.slice(0, -1)}: it must be https, or http on 127.0.0.1 or localhost`;
  return loopback.test(uri) ? null : 'is plain http on a host that is neither 127.0.0.1 nor localhost';
}

/** Whether a request may use this redirect URI: exactly a registered one, but for the port on 127.0.0.1 and localhost. */
export function redirectUriAllowed(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true;
  const asked = loopback.exec(uri);
  if (asked === null || Number(asked[2] ?? 80) > 65_535) return false;
  return registered.some((candidate) => {
    const allowed = loopback.exec(candidate);
    return allowed !== null && allowed[1] === asked[1] && allowed[3] === asked[3];
  });
}

/** The code goes to a program on the user's machine. */
export function redirectsToLocalhost(uri: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(uri).hostname);
}
