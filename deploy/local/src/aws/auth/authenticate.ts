import { SIGNATURE_SKEW_MS_MAX } from '../limits.ts';
import { accountPrincipal, type Principal } from './principal.ts';
import type { SessionTokens } from './session-token.ts';
import { parseAuthorization, type SignableRequest, type Signer } from './signature.ts';

/** Secret access key of every account's owner; the access key ID is the account's 12 digits. */
const ACCOUNT_SECRET = 'test';

/** Why a request was not accepted. Each API has its own code for it. */
export type AuthenticationFailure =
  | { readonly kind: 'missing' }
  | { readonly kind: 'incomplete'; readonly message: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'signature'; readonly message: string };

type Authentication =
  | {
      readonly kind: 'accepted';
      readonly principal: Principal;
      readonly region: string;
      readonly service: string;
    }
  | AuthenticationFailure;

/** Finds out who signed a request. Never throws: failures are values. */
export function createAuthenticator(signer: Signer, sessions: SessionTokens, now: () => number) {
  return function authenticate(request: SignableRequest): Authentication {
    const value = request.headers['authorization'];
    if (typeof value !== 'string') return { kind: 'missing' };
    const header = parseAuthorization(value);
    if (header === undefined) return { kind: 'incomplete', message: INCOMPLETE };
    const known = credentials(header.accessKeyId, request.headers['x-amz-security-token']);
    if (known === undefined) return { kind: 'unknown' };
    if (known.principal.kind === 'session' && known.principal.expiresAtMs <= now())
      return { kind: 'expired' };
    const amzDate = String(request.headers['x-amz-date'] ?? '');
    if (!header.signedHeaders.includes('host')) return { kind: 'signature', message: UNSIGNED_HOST };
    if (!amzDate.startsWith(header.date)) return { kind: 'signature', message: WRONG_DATE };
    const skew = skewMessage(amzDate, now());
    if (skew !== undefined) return { kind: 'signature', message: skew };
    if (!signer.verify(request, known.secret, header)) return { kind: 'signature', message: MISMATCH };
    return { kind: 'accepted', principal: known.principal, region: header.region, service: header.service };
  };

  function credentials(
    accessKeyId: string,
    token: unknown,
  ): { principal: Principal; secret: string } | undefined {
    if (token === undefined)
      return /^\d{12}$/.test(accessKeyId)
        ? { principal: accountPrincipal(accessKeyId), secret: ACCOUNT_SECRET }
        : undefined;
    const session = typeof token === 'string' ? sessions.open(token) : undefined;
    if (session?.accessKeyId !== accessKeyId) return undefined;
    return { principal: session.principal, secret: sessions.secretOf(accessKeyId) };
  }
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

const INCOMPLETE =
  "Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. Authorization header requires 'SignedHeaders' parameter.";
const UNSIGNED_HOST = "'Host' must be a 'SignedHeader' in the AWS Authorization.";
const WRONG_DATE =
  'Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: check x-amz-date.';
const MISMATCH =
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.';

function skewMessage(amzDate: string, nowMs: number): string | undefined {
  const [, y, m, d, h, min, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(amzDate) ?? [];
  const at = Date.parse(`${y}-${m}-${d}T${h}:${min}:${s}Z`);
  if (Number.isNaN(at)) return WRONG_DATE;
  const current = compactDate(nowMs);
  if (nowMs - at > SIGNATURE_SKEW_MS_MAX)
    return `Signature expired: ${amzDate} is now earlier than ${compactDate(nowMs - SIGNATURE_SKEW_MS_MAX)} (${current} - 5 min.)`;
  if (at - nowMs > SIGNATURE_SKEW_MS_MAX)
    return `Signature not yet current: ${amzDate} is still later than ${compactDate(nowMs + SIGNATURE_SKEW_MS_MAX)} (${current} + 5 min.)`;
  return undefined;
}

/** `20250102T030405Z`, as in x-amz-date. */
export function compactDate(atMs: number): string {
  return new Date(atMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
}
