/** One request of a raw read, by the parts that an SDK client is made of. */
import type { Readable } from 'node:stream';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { HttpRequest, RequestSigner } from '@smithy/types';
import { abortError } from '../aws/abortable.ts';
import { answerError, metadataOf, type AnswerHead } from './answer-error.ts';
import { createClock } from './corrected-clock.ts';
import { readAll } from './raw-body.ts';

const TARGET = 'DynamoDB_20120810';
const CONTENT_TYPE = 'application/x-amz-json-1.0';
const USER_AGENT = 'penstock';

export interface RawAnswer {
  readonly body: Buffer;
  readonly metadata: ReturnType<typeof metadataOf>;
}

/**
 * Sends `body` and reads the answer. Throws what it tells of, what the network below does, and an AbortError where the signal
 * was given before it was sent.
 */
export type Attempt = (
  operation: string,
  body: string,
  signal: AbortSignal | undefined,
) => Promise<RawAnswer>;

/** Where a client's requests go, and who signs them. */
interface Wire {
  readonly signer: RequestSigner;
  readonly url: URL;
}

async function wireOf({ config }: DynamoDBClient): Promise<Wire> {
  const custom = await config.endpoint?.();
  const { url } = config.endpointProvider({
    Region: await config.region(),
    UseDualStack: await config.useDualstackEndpoint(),
    UseFIPS: await config.useFipsEndpoint(),
    ...(custom === undefined
      ? {}
      : {
          Endpoint: `${custom.protocol}//${custom.hostname}${custom.port === undefined ? '' : `:${custom.port}`}${custom.path}`,
        }),
  });
  return { signer: await config.signer(), url };
}

/** As much of the client's request handler as a request needs. */
interface Handler {
  handle(
    request: HttpRequest,
    options: { readonly abortSignal?: AbortSignal },
  ): Promise<{ readonly response: AnswerHead & { readonly body?: unknown } }>;
}

function requestOf(url: URL, operation: string, body: string): HttpRequest {
  const { protocol, hostname, port, pathname, host } = url;
  return {
    method: 'POST',
    protocol,
    hostname,
    ...(port === '' ? {} : { port: Number(port) }),
    path: pathname,
    query: {},
    headers: {
      host,
      'content-type': CONTENT_TYPE,
      'content-length': String(Buffer.byteLength(body)),
      'x-amz-target': `${TARGET}.${operation}`,
      'user-agent': USER_AGENT,
    },
    body,
  };
}

export function createAttempt(client: DynamoDBClient): Attempt {
  const handler = client.config.requestHandler as Handler;
  const clock = createClock();
  let opened: Promise<Wire> | null = null;
  const wire = (): Promise<Wire> => {
    if (opened === null) {
      opened = wireOf(client);
      opened.catch(() => (opened = null));
    }
    return opened;
  };

  return async function attempt(operation, body, signal) {
    const { signer, url } = await wire();
    const signed = await signer.sign(requestOf(url, operation, body), { signingDate: clock.now() });
    if (signal?.aborted === true) throw abortError(signal);
    const { response } = await handler.handle(signed, {});
    const { statusCode, headers } = response;
    const isCorrected = clock.correct(headers['date']);
    const answered = await readAll(response.body as Readable, Number(headers['content-length'] ?? NaN));
    if (statusCode === 200) return { body: answered, metadata: metadataOf(response) };
    // It was signed by a clock that is right since.
    if (isCorrected) return attempt(operation, body, signal);
    throw answerError(response, answered);
  };
}
