/** One request of a raw read, by the parts that an SDK client is made of. */
import type { Readable } from 'node:stream';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { HttpRequest } from '@smithy/types';
import { abortError } from '../aws/abortable.ts';
import { answerError, metadataOf, type AnswerHead } from './answer-error.ts';
import { createClock } from './corrected-clock.ts';
import { readAll } from './raw-body.ts';
import { createRequestSigner, type SigningCredentials, type SignRequest } from './request-signer.ts';

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

/** Where a client's requests go, and how they are signed. */
interface Wire {
  readonly url: URL;
  readonly sign: SignRequest;
}

async function wireOf({ config }: DynamoDBClient): Promise<Wire> {
  const custom = await config.endpoint?.();
  const region = await config.region();
  const { url } = config.endpointProvider({
    Region: region,
    UseDualStack: await config.useDualstackEndpoint(),
    UseFIPS: await config.useFipsEndpoint(),
    ...(custom === undefined
      ? {}
      : {
          Endpoint: `${custom.protocol}//${custom.hostname}${custom.port === undefined ? '' : `:${custom.port}`}${custom.path}`,
        }),
  });
  return { url, sign: createRequestSigner(region, url, CONTENT_TYPE) };
}

/** As much of the client's request handler as a request needs. */
interface Handler {
  handle(
    request: HttpRequest,
    options: { readonly abortSignal?: AbortSignal },
  ): Promise<{ readonly response: AnswerHead & { readonly body?: unknown } }>;
}

function requestOf(
  { url, sign }: Wire,
  operation: string,
  body: string,
  at: Date,
  credentials: SigningCredentials,
): HttpRequest {
  const { protocol, hostname, port, pathname } = url;
  return {
    method: 'POST',
    protocol,
    hostname,
    ...(port === '' ? {} : { port: Number(port) }),
    path: pathname,
    query: {},
    headers: {
      ...sign({ target: `${TARGET}.${operation}`, body, at }, credentials),
      'user-agent': USER_AGENT,
    },
    body,
  };
}

export function createAttempt(client: DynamoDBClient): Attempt {
  const handler = client.config.requestHandler as Handler;
  const clock = createClock();
  let opening: Promise<Wire> | null = null;
  const wire = (): Promise<Wire> => {
    if (opening === null) {
      opening = wireOf(client);
      opening.catch(() => (opening = null));
    }
    return opening;
  };

  return async function attempt(operation, body, signal) {
    const opened = await wire();
    const credentials = await client.config.credentials();
    const signed = requestOf(opened, operation, body, clock.now(), credentials);
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
