/** A client whose requests a test looks at, holds, or answers itself. */
import { Readable } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { allowRawReads } from '@penstock/common/dynamodb/raw-reads.ts';
import type { TestAws } from './aws.ts';

interface Call {
  /** `Query`, `GetItem`… */
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

interface Answer {
  readonly response: {
    readonly statusCode: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
}

/** What the local endpoint answers. */
type Send = () => Promise<Answer>;

/** A refusal as DynamoDB says it. */
export function refusal(name: string, message: string): Answer {
  const body = Buffer.from(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message }));
  return { response: { statusCode: 400, headers: {}, body: Readable.from([body]) } };
}

export function interceptedClient(
  { client, endpoint, accountId }: Pick<TestAws, 'client' | 'endpoint' | 'accountId'>,
  intercept: (call: Call, send: Send) => Promise<Answer>,
): DynamoDBClient {
  const { requestHandler } = client.config;
  const intercepted = new DynamoDBClient({
    endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: accountId, secretAccessKey: 'test' },
    requestHandler: {
      handle: (request: { readonly headers: Readonly<Record<string, string>>; readonly body?: unknown }) => {
        const call = {
          operation: request.headers['x-amz-target']?.split('.')[1] ?? '',
          input: JSON.parse(String(request.body)) as Call['input'],
        };
        return intercept(call, () => requestHandler.handle(request as never));
      },
    },
  });
  allowRawReads(intercepted);
  return intercepted;
}
