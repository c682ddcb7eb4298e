import { Agent, request } from 'node:http';
import { AwsError } from '../../errors.ts';
import { BACKEND_ANSWER_MS_MAX, BACKEND_CONNECTIONS_MAX } from '../../limits.ts';
import { isRepeatable } from '../operations.ts';
import type { Backend, StartBackend } from './backend.ts';

/** What a store answers. */
export interface StoreAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** One account's tables in one region, behind an emulator that is started when first needed and when it died. */
export interface Store {
  /** Sends a request. Throws AwsError (500) when the emulator cannot be reached, and AbortError. */
  send(operation: string, body: Buffer | string, signal?: AbortSignal): Promise<StoreAnswer>;
  /** Ends the emulator. The next request starts it again, with its file as it is then. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Emulators want to see a signature; they do not check it. */
const UNCHECKED_SIGNATURE =
  'AWS4-HMAC-SHA256 Credential=local/20250101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00';

export function createStore(path: string, start: StartBackend): Store {
  const agent = new Agent({ keepAlive: true, maxSockets: BACKEND_CONNECTIONS_MAX });
  let backend: Promise<Backend> | undefined;
  let closed = false;

  /** One start serves everybody who waits; whoever finds the emulator dead first starts the next. */
  async function running(): Promise<Backend> {
    if (closed) throw unavailable();
    const promise = (backend ??= launch());
    const current = await promise;
    if (current.isAlive()) return current;
    if (backend === promise) backend = undefined;
    return running();
  }

  function launch(): Promise<Backend> {
    return starting(start(path));
  }

  /** Forgets a start that failed. */
  function starting(promise: Promise<Backend>): Promise<Backend> {
    promise.catch(() => {
      if (backend === promise) backend = undefined;
    });
    return promise;
  }

  async function send(operation: string, body: Buffer | string, signal?: AbortSignal): Promise<StoreAnswer> {
    for (let attempt = 1; ; attempt += 1)
      try {
        const { port } = await running();
        return await exchange(agent, port, operation, body, signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (attempt === 3 || closed || !mayRepeat(operation, error)) throw unavailable();
      }
  }

  async function restart(): Promise<void> {
    const previous = await backend?.catch(() => undefined);
    if (previous === undefined || closed) return;
    // Requests that come meanwhile wait for it.
    backend = starting(previous.stop().then(() => start(path)));
    await backend;
  }

  async function close(): Promise<void> {
    closed = true;
    const current = await backend?.catch(() => undefined);
    agent.destroy();
    await current?.stop();
  }

  return { send, restart, close };
}

function exchange(
  agent: Agent,
  port: number,
  operation: string,
  body: Buffer | string,
  signal: AbortSignal | undefined,
): Promise<StoreAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        method: 'POST',
        timeout: BACKEND_ANSWER_MS_MAX,
        ...(signal && { signal }),
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          'content-length': Buffer.byteLength(body),
          'x-amz-target': `DynamoDB_20120810.${operation}`,
          'x-amz-date': '20250101T000000Z',
          authorization: UNCHECKED_SIGNATURE,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 500, body: Buffer.concat(chunks) }),
        );
        incoming.on('error', reject);
      },
    );
    outgoing.on('timeout', () =>
      outgoing.destroy(new Error('The DynamoDB emulator did not answer in time.')),
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** A request that never arrived, or changes nothing, can be sent again. */
function mayRepeat(operation: string, error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ECONNREFUSED' || (code === 'ECONNRESET' && isRepeatable(operation));
}

function unavailable(): AwsError {
  return new AwsError(
    'InternalServerError',
    'Internal server error: the DynamoDB emulator cannot be reached.',
    500,
  );
}
