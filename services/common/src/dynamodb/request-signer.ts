/**
 * Signs requests by Signature Version 4 ("Create a signed AWS API request" of the IAM guide). The SDK's signer takes any
 * request, and looks through the headers of each; ours have always the same ones, so all but the hashes is known ahead.
 */
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

const ALGORITHM = 'AWS4-HMAC-SHA256';
const SERVICE = 'dynamodb';
/** Of every request, in the order of the alphabet, as they are signed. */
const SIGNED = 'content-length;content-type;host;x-amz-content-sha256;x-amz-date';

export interface SigningCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Headers with the signature among them. */
export type SignRequest = (
  request: { readonly target: string; readonly body: string; readonly at: Date },
  credentials: SigningCredentials,
) => Record<string, string>;

const hmac = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The key that signs a day's requests to DynamoDB of a region. */
function signingKey(secret: string, day: string, region: string): KeyObject {
  let key = createSecretKey(`AWS4${secret}`, 'utf8');
  for (const part of [day, region, SERVICE, 'aws4_request']) key = createSecretKey(hmac(key, part));
  return key;
}

/** A path as it is signed: with what is escaped in it escaped once more, and no empty segments. */
function canonicalPath(pathname: string): string {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const escaped = segments.map((segment) =>
    encodeURIComponent(segment).replace(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
  );
  return `/${escaped.join('/')}${segments.length > 0 && pathname.endsWith('/') ? '/' : ''}`;
}

/** For POST requests of JSON to one URL. */
export function createRequestSigner(
  region: string,
  { host, pathname }: Pick<URL, 'host' | 'pathname'>,
  contentType: string,
): SignRequest {
  const path = canonicalPath(pathname);
  /** Of the last request: the next has the same, until the day or the session ends. */
  let last: { readonly secret: string; readonly day: string; readonly key: KeyObject } | null = null;
  const keyOf = (secret: string, day: string): KeyObject => {
    if (last?.secret !== secret || last.day !== day)
      last = { secret, day, key: signingKey(secret, day, region) };
    return last.key;
  };

  return ({ target, body, at }, { accessKeyId, secretAccessKey, sessionToken }) => {
    const iso = at.toISOString();
    const day = `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 10)}`;
    const time = `${day}T${iso.slice(11, 13)}${iso.slice(14, 16)}${iso.slice(17, 19)}Z`;
    const length = String(Buffer.byteLength(body));
    const bodyHash = hash('sha256', body, 'hex');
    const hasToken = sessionToken !== undefined && sessionToken !== '';
    const signed = `${SIGNED}${hasToken ? ';x-amz-security-token' : ''};x-amz-target`;
    const canonical = `POST
${path}

content-length:${length}
content-type:${contentType}
host:${host}
x-amz-content-sha256:${bodyHash}
x-amz-date:${time}
${hasToken ? `x-amz-security-token:${sessionToken}\n` : ''}x-amz-target:${target}

${signed}
${bodyHash}`;
    const scope = `${day}/${region}/${SERVICE}/aws4_request`;
    const toSign = `${ALGORITHM}\n${time}\n${scope}\n${hash('sha256', canonical, 'hex')}`;
    const signature = hmac(keyOf(secretAccessKey, day), toSign).toString('hex');
    return {
      host,
      'content-type': contentType,
      'content-length': length,
      'x-amz-target': target,
      'x-amz-date': time,
      ...(hasToken ? { 'x-amz-security-token': sessionToken } : {}),
      'x-amz-content-sha256': bodyHash,
      authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
    };
  };
}
