/**
 * Hands out the bodies of successful reads as they came: the SDK signs, retries and parses errors, but its deserializer
 * is an order of magnitude slower than decoding the wanted columns straight from the text.
 */
import { Readable } from 'node:stream';
import type {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
  ServiceInputTypes,
  ServiceOutputTypes,
} from '@aws-sdk/client-dynamodb';
import type { DeserializeMiddleware } from '@smithy/types';
import { abortable } from '../aws/abortable.ts';
import { DYNAMO_BODY_BYTES_MAX } from './limits.ts';

/** The reads whose answers come raw. */
export type RawReadCommand = ScanCommand | QueryCommand | GetItemCommand | BatchGetItemCommand;

const RAW_READS = new Set(['ScanCommand', 'QueryCommand', 'GetItemCommand', 'BatchGetItemCommand']);
const RAW_BODY_KEY = 'penstockRawBody';
const RAW_BODY = Symbol('raw body');

const keepBody: DeserializeMiddleware<ServiceInputTypes, ServiceOutputTypes> =
  (next, context) => async (args) => {
    const result = await next(args);
    if (!RAW_READS.has(String(context['commandName']))) return result;
    const response: unknown = result.response;
    if (!isResponse(response) || response.statusCode !== 200) return result;
    const { headers, body } = response;
    if (!(body instanceof Readable)) return result;
    context[RAW_BODY_KEY] = await readAll(body, Number(headers?.['content-length'] ?? NaN));
    // The deserializer reads nothing then: it would collect any stream, and parse what it collected.
    response.body = new Uint8Array();
    return result;
  };

const attachBody: DeserializeMiddleware<ServiceInputTypes, ServiceOutputTypes> =
  (next, context) => async (args) => {
    const result = await next(args);
    const body: unknown = context[RAW_BODY_KEY];
    if (body !== undefined) Object.defineProperty(result.output, RAW_BODY, { value: body });
    return result;
  };

/** Makes a client's Scan, Query, GetItem and BatchGetItem keep their raw bodies; their parsed outputs are empty. */
export function keepRawBodies(client: DynamoDBClient): void {
  const { middlewareStack } = client;
  middlewareStack.addRelativeTo(keepBody, {
    relation: 'after',
    toMiddleware: 'deserializerMiddleware',
    name: 'keepRawBody',
    override: true,
  });
  middlewareStack.addRelativeTo(attachBody, {
    relation: 'before',
    toMiddleware: 'deserializerMiddleware',
    name: 'attachRawBody',
    override: true,
  });
}

/** Sends a read on a client made with `keepRawBodies` and returns the answer's body. Throws what the SDK throws. */
export async function sendRaw(
  client: DynamoDBClient,
  command: RawReadCommand,
  signal?: AbortSignal,
): Promise<Buffer> {
  const options = signal === undefined ? {} : { abortSignal: signal };
  // One call per command type would say the same four times: only the output's raw body is looked at.
  const sent: Promise<object> = client.send(command as ScanCommand, options);
  // The SDK's pauses between its retries do not end on abort.
  const output = await abortable(sent, signal);
  const body: unknown = RAW_BODY in output ? output[RAW_BODY] : undefined;
  if (!Buffer.isBuffer(body)) throw new Error('the client does not keep raw bodies');
  return body;
}

/**
 * The whole body. Where its length is declared, each chunk can be freed as soon as it is copied. By events: iterating
 * takes several promises and listeners more, which is felt where an answer is one item.
 */
async function readAll(body: Readable, declaredBytes: number): Promise<Buffer> {
  const whole = declaredBytes <= DYNAMO_BODY_BYTES_MAX ? Buffer.allocUnsafeSlow(declaredBytes) : null;
  const bytesMax = whole?.length ?? DYNAMO_BODY_BYTES_MAX;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    body.on('data', (chunk: Uint8Array) => {
      const at = bytes;
      bytes += chunk.length;
      if (bytes > bytesMax) body.destroy(new Error(`an answer of more than ${bytesMax} bytes`));
      else if (whole === null) chunks.push(chunk);
      else whole.set(chunk, at);
    });
    body.once('end', resolve);
    body.once('error', reject);
    // Changes nothing where the body ended or failed before.
    body.once('close', () => reject(new Error('the connection was closed before the end of an answer')));
  });
  return whole === null ? Buffer.concat(chunks, bytes) : whole.subarray(0, bytes);
}

interface RawResponse {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  body: unknown;
}

function isResponse(value: unknown): value is RawResponse {
  return typeof value === 'object' && value !== null && 'statusCode' in value && 'body' in value;
}
