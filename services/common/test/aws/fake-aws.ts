/** A handwritten AWS endpoint: answers AssumeRole and DynamoDB calls as the test says, and keeps what was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface FakeAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FakeAws {
  readonly endpoint: string;
  /** How often it was asked who the caller is. */
  identified: number;
  onIdentity: () => FakeAnswer;
  /** The form parameters of each AssumeRole, in order. */
  readonly assumed: URLSearchParams[];
  /** Target, access key ID, the time it was signed for and body of each DynamoDB call, in order. */
  readonly calls: {
    readonly target: string;
    readonly accessKeyId: string;
    readonly date: string;
    readonly body: string;
  }[];
  onAssume: (call: URLSearchParams, count: number) => FakeAnswer | Promise<FakeAnswer>;
  onDynamo: (call: FakeAws['calls'][number], count: number) => FakeAnswer | Promise<FakeAnswer>;
  close(): Promise<void>;
}

export async function startFakeAws(): Promise<FakeAws> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeAws = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    identified: 0,
    onIdentity: () => identityAnswer('999988887777'),
    assumed: [],
    calls: [],
    onAssume: (_call, count) => credentialsAnswer(`ASIA${count}`, Date.now() + 3_600_000),
    onDynamo: () => ({ status: 200, body: '{}' }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const target = request.headers['x-amz-target'];
    let result: FakeAnswer;
    if (target === undefined) {
      const call = new URLSearchParams(body);
      if (call.get('Action') === 'GetCallerIdentity') {
        fake.identified += 1;
        result = fake.onIdentity();
      } else {
        fake.assumed.push(call);
        result = await fake.onAssume(call, fake.assumed.length);
      }
    } else {
      const accessKeyId = /Credential=([^/]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? '';
      const date = String(request.headers['x-amz-date']);
      const call = { target: String(target).split('.')[1] ?? '', accessKeyId, date, body };
      fake.calls.push(call);
      result = await fake.onDynamo(call, fake.calls.length);
    }
    response.writeHead(result.status, result.headers ?? {});
    response.end(result.body);
  };
  return fake;
}

export function credentialsAnswer(accessKeyId: string, expiresAt: number, dateMs?: number): FakeAnswer {
  return {
    status: 200,
    ...(dateMs === undefined ? {} : { headers: { date: new Date(dateMs).toUTCString() } }),
    body:
      '<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>' +
      `<AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>` +
      `<SessionToken>token</SessionToken><Expiration>${new Date(expiresAt).toISOString()}</Expiration>` +
      '</Credentials></AssumeRoleResult></AssumeRoleResponse>',
  };
}

export function identityAnswer(account: string): FakeAnswer {
  return {
    status: 200,
    body:
      '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>' +
      `<Arn>arn:aws:iam::${account}:root</Arn><UserId>${account}</UserId><Account>${account}</Account>` +
      '</GetCallerIdentityResult></GetCallerIdentityResponse>',
  };
}

export function stsError(status: number, code: string, message: string): FakeAnswer {
  return {
    status,
    body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
  };
}

export function dynamoError(status: number, name: string, message: string): FakeAnswer {
  return { status, body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message }) };
}
