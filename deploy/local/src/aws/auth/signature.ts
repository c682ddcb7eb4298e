import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { SIGNING_CACHE_ENTRIES_MAX } from '../limits.ts';

/**
 * AWS Signature Version 4 in the Authorization header: signing and verifying.
 * Reference: IAM User Guide, "Create a signed AWS API request".
 */

/** The parts of a request that are signed. Header names in lower case. */
export interface SignableRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** What an Authorization header says. */
interface AuthorizationHeader {
  readonly accessKeyId: string;
  /** `YYYYMMDD`. */
  readonly date: string;
  readonly region: string;
  readonly service: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
}

const HEADER =
  /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/(\d{8})\/([a-z0-9-]+)\/([a-z0-9-]+)\/aws4_request,\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})$/;

/** Reads an Authorization header; undefined when it is not a Signature Version 4 one. */
export function parseAuthorization(value: string): AuthorizationHeader | undefined {
  const [, accessKeyId, date, region, service, signed, signature] = HEADER.exec(value) ?? [];
  if (!accessKeyId || !date || !region || !service || !signed || !signature) return undefined;
  return { accessKeyId, date, region, service, signedHeaders: signed.split(';'), signature };
}

/** Computes and checks signatures; keeps derived keys, which change once a day. */
export function createSigner() {
  const keys = new Map<string, KeyObject>();

  function signingKey(secret: string, scope: AuthorizationHeader): KeyObject {
    const id = `${scope.date}/${scope.region}/${scope.service}/${secret}`;
    const known = keys.get(id);
    if (known !== undefined) return known;
    const derived = [scope.date, scope.region, scope.service, 'aws4_request'].reduce<Buffer>(
      hmac,
      Buffer.from(`AWS4${secret}`),
    );
    // With bytes for a key, Node takes five times as long for each signature.
    const key = createSecretKey(derived);
    if (keys.size >= SIGNING_CACHE_ENTRIES_MAX) keys.clear();
    keys.set(id, key);
    return key;
  }

  function sign(request: SignableRequest, secret: string, scope: AuthorizationHeader): string {
    const canonical = [
      request.method,
      ...canonicalUrl(request.url),
      scope.signedHeaders.map((name) => `${name}:${headerValue(request, name)}\n`).join(''),
      scope.signedHeaders.join(';'),
      sha256(request.body),
    ].join('\n');
    const toSign = [
      'AWS4-HMAC-SHA256',
      headerValue(request, 'x-amz-date'),
      `${scope.date}/${scope.region}/${scope.service}/aws4_request`,
      sha256(canonical),
    ].join('\n');
    return hmac(signingKey(secret, scope), toSign).toString('hex');
  }

  function verify(request: SignableRequest, secret: string, header: AuthorizationHeader): boolean {
    return timingSafeEqual(Buffer.from(sign(request, secret, header)), Buffer.from(header.signature));
  }

  return { sign, verify };
}

export type Signer = ReturnType<typeof createSigner>;

function canonicalUrl(url: string): readonly [string, string] {
  const { pathname, searchParams } = new URL(url, 'http://local');
  const pairs = [...searchParams].map(([name, value]) => [encode(name), encode(value)] as const);
  pairs.sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]));
  return [pathname, pairs.map((pair) => pair.join('=')).join('&')];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function headerValue(request: SignableRequest, name: string): string {
  const value = request.headers[name];
  const text = Array.isArray(value) ? value.join(',') : (value ?? '');
  return text.trim().replace(/\s+/g, ' ');
}

function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

function hmac(key: Buffer | KeyObject, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest();
}
