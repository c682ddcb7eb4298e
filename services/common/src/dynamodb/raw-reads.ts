/**
 * Reads whose answers are handed out as they came. The SDK's own parts resolve the endpoint, sign, send and say when to try
 * again; left out is the middleware between them, which takes more of a GetItem's time than all that, and the deserializer,
 * which is an order of magnitude slower than decoding the wanted columns straight from the text.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import type { RetryErrorType } from '@smithy/types';
import { createCallObserver, type CallObserver } from '../aws/observe-calls.ts';
import { classifyDynamoError } from './errors.ts';
import { createAttempt, type RawAnswer } from './raw-attempt.ts';
import { requestBody } from './request-body.ts';

/** The reads whose answers come raw. */
export type RawReadCommand = ScanCommand | QueryCommand | GetItemCommand | BatchGetItemCommand;

const OPERATIONS: ReadonlyMap<string, string> = new Map([
  ['ScanCommand', 'Scan'],
  ['QueryCommand', 'Query'],
  ['GetItemCommand', 'GetItem'],
  ['BatchGetItemCommand', 'BatchGetItem'],
]);

export interface RawReadOptions {
  /** Measures and traces each attempt; nobody does where absent. */
  readonly observer?: CallObserver;
  /** Runs a read, and may run it again. */
  readonly around?: <T>(read: () => Promise<T>) => Promise<T>;
}

type SendRaw = (command: RawReadCommand, signal: AbortSignal | undefined) => Promise<Buffer>;

/** How reads are sent on a client's own connections, in the name of its credentials. */
const senders = new WeakMap<DynamoDBClient, SendRaw>();

/** Lets `sendRaw` be used with a client. */
export function allowRawReads(client: DynamoDBClient, options: RawReadOptions = {}): void {
  senders.set(client, createSender(client, options));
}

/**
 * Sends a read on a client made with `allowRawReads` and returns the answer's body. Throws what the SDK throws: an exception
 * with DynamoDB's code as its name, and errors of the network.
 *
 * Once the signal is given, nothing more is sent. A request that is on its way is not cut: DynamoDB has read for it, and its
 * answer says what that cost. Whoever does not wait that long waits by `abortable`.
 */
export function sendRaw(
  client: DynamoDBClient,
  command: RawReadCommand,
  signal?: AbortSignal,
): Promise<Buffer> {
  const send = senders.get(client);
  if (send === undefined) throw new Error('the client is not made for raw reads');
  return send(command, signal);
}

function operationOf({ constructor }: RawReadCommand): string {
  const operation = OPERATIONS.get(constructor.name);
  if (operation === undefined) throw new Error(`${constructor.name} is no read`);
  return operation;
}

/** What the SDK's retry strategy calls an error. */
function retryType(error: unknown): RetryErrorType {
  switch (classifyDynamoError(error).kind) {
    case 'throttled':
      return 'THROTTLING';
    case 'unavailable':
    case 'timeout':
      return 'TRANSIENT';
    default:
      return 'CLIENT_ERROR';
  }
}

function createSender(
  client: DynamoDBClient,
  { observer, around = (read) => read() }: RawReadOptions,
): SendRaw {
  const { config } = client;
  const observe = observer === undefined ? null : createCallObserver('DynamoDB', observer);
  const attempt = createAttempt(client);

  async function withRetries(
    read: () => Promise<RawAnswer>,
    signal: AbortSignal | undefined,
  ): Promise<Buffer> {
    const strategy = await config.retryStrategy();
    if (!('refreshRetryTokenForRetry' in strategy)) throw new Error('a retry strategy of an older kind');
    let token = await strategy.acquireInitialRetryToken('');
    for (;;) {
      try {
        const { body } = await read();
        strategy.recordSuccess(token);
        return body;
      } catch (error) {
        if (signal?.aborted === true) throw error;
        try {
          token = await strategy.refreshRetryTokenForRetry(token, { errorType: retryType(error) });
        } catch {
          throw error;
        }
        const delayMs = token.getRetryDelay();
        if (delayMs > 0) await sleep(delayMs);
      }
    }
  }

  return (command, signal) => {
    const operation = operationOf(command);
    const { input } = command;
    const body = requestBody(input);
    const read = (): Promise<RawAnswer> => attempt(operation, body, signal);
    const observed =
      observe === null ? read : () => observe(operation, input, read, ({ metadata }) => metadata);
    return around(() => withRetries(observed, signal));
  };
}
