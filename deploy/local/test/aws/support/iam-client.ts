import { compactDate } from '../../../src/aws/auth/authenticate.ts';
import { createSigner } from '../../../src/aws/auth/signature.ts';

/** Where and as whom to call. */
interface IamClientOptions {
  /** For example `http://127.0.0.1:4566`, or `https://iam.amazonaws.com`. */
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** An answer that was not a success. */
export class IamError extends Error {
  /** IAM's code, for example `EntityAlreadyExists`. */
  readonly code: string;
  readonly status: number;

  constructor(action: string, status: number, body: string) {
    const code = /<Code>([^<]*)<\/Code>/.exec(body)?.[1] ?? 'Unknown';
    super(`IAM ${action} failed: ${code}: ${/<Message>([^<]*)<\/Message>/.exec(body)?.[1] ?? ''}`);
    this.name = 'IamError';
    this.code = code;
    this.status = status;
  }
}

/** Milliseconds one call may take. */
const CALL_MS_MAX = 30_000;

/**
 * The few IAM calls that setting up a role needs, without IAM's SDK client: works against this endpoint,
 * LocalStack and AWS.
 * @returns a function that does one action and resolves to the XML of its answer; it throws IamError
 */
export function createIamClient(options: IamClientOptions) {
  const { sign } = createSigner();

  return async function call(action: string, parameters: Readonly<Record<string, string>>): Promise<string> {
    const url = new URL('/', options.endpoint);
    const body = new URLSearchParams({ Action: action, Version: '2010-05-08', ...parameters }).toString();
    const headers: Record<string, string> = {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      host: url.host,
      'x-amz-date': compactDate(Date.now()),
      ...(options.sessionToken !== undefined && { 'x-amz-security-token': options.sessionToken }),
    };
    const scope = {
      accessKeyId: options.accessKeyId,
      date: compactDate(Date.now()).slice(0, 8),
      region: 'us-east-1',
      service: 'iam',
      signedHeaders: Object.keys(headers).sort(),
      signature: '',
    };
    const request = { method: 'POST', url: '/', headers, body: Buffer.from(body) };
    const signature = sign(request, options.secretAccessKey, scope);
    const credential = `${scope.accessKeyId}/${scope.date}/${scope.region}/${scope.service}/aws4_request`;
    const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${scope.signedHeaders.join(';')}, Signature=${signature}`;
    const { host: _host, ...sent } = headers;
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...sent, authorization },
      body,
      signal: AbortSignal.timeout(CALL_MS_MAX),
    });
    const answer = await response.text();
    if (!response.ok) throw new IamError(action, response.status, answer);
    return answer;
  };
}
