/** What raw reads send, beside what the SDK sends for the same command. */
import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb';
import type { HttpRequest } from '@smithy/types';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { allowRawReads, sendRaw, type RawReadCommand } from '../../src/dynamodb/raw-reads.ts';

const COMMANDS: readonly (readonly [what: string, command: RawReadCommand])[] = [
  ['a GetItem', new GetItemCommand({ TableName: 'orders', Key: { id: { S: 'ü"\\\n' }, n: { N: '1.50' } }, ConsistentRead: true })],
  ['a binary key', new GetItemCommand({ TableName: 'files', Key: { id: { B: Buffer.from([0, 1, 254, 255]) } } })],
  ['bytes that are no Buffer', new QueryCommand({ TableName: 'files', KeyConditionExpression: '#k = :k', ExpressionAttributeNames: { '#k': 'id' }, ExpressionAttributeValues: { ':k': { B: Uint8Array.of(1, 2, 3) } } })],
  ['a Query of a page', new QueryCommand({ TableName: 'orders', IndexName: 'by-day', Limit: 7, ScanIndexForward: false, ExclusiveStartKey: { id: { S: 'x' } }, ReturnConsumedCapacity: 'INDEXES' })],
  ['a Scan with what is left out', new ScanCommand({ TableName: 'orders', Segment: 0, TotalSegments: 4, FilterExpression: undefined })],
  ['a filter with values of every kind', new ScanCommand({ TableName: 'orders', ExpressionAttributeValues: { ':l': { L: [{ BOOL: true }, { NULL: true }, { M: { a: { SS: ['x', 'y'] } } }] }, ':n': { NS: ['1', '2'] }, ':b': { BS: [Buffer.from('ab')] } } })],
  ['a batch', new BatchGetItemCommand({ RequestItems: { orders: { Keys: [{ id: { S: 'a' } }, { id: { B: Buffer.from('b') } }], ProjectionExpression: '#a' } } })],
]; // oxfmt-ignore

const CLIENTS: readonly (readonly [what: string, config: DynamoDBClientConfig])[] = [
  ['a region', { region: 'eu-west-1' }],
  ['a region in China', { region: 'cn-north-1' }],
  ['FIPS endpoints', { region: 'us-east-1', useFipsEndpoint: true }],
  ['dual-stack endpoints', { region: 'us-east-2', useDualstackEndpoint: true }],
  ['an endpoint of its own', { region: 'eu-west-1', endpoint: 'http://127.0.0.1:4566' }],
];

/** Of a request, what says where it goes and what it asks for. */
function essence({ protocol, hostname, port, path, method, headers, body }: HttpRequest): object {
  const scope = /Credential=([^,]+)/.exec(headers['authorization'] ?? '')?.[1];
  const { host, 'content-type': type, 'x-amz-target': target, 'x-amz-security-token': token } = headers;
  return {
    where: [protocol, hostname, port, path, method, host],
    what: [type, target, token, scope],
    body: JSON.parse(Buffer.from(body as Uint8Array | string).toString()) as unknown,
  };
}

describe('raw reads', () => {
  const requests: HttpRequest[] = [];
  const clientOf = (config: DynamoDBClientConfig): DynamoDBClient => {
    const client = new DynamoDBClient({
      credentials: { accessKeyId: 'AKIA', secretAccessKey: 'secret', sessionToken: 'token' },
      ...config,
      requestHandler: {
        handle: async (request: HttpRequest) => {
          requests.push(request);
          return { response: { statusCode: 200, headers: {}, body: Readable.from([Buffer.from('{}')]) } };
        },
      },
    });
    allowRawReads(client);
    return client;
  };
  beforeEach(() => void (requests.length = 0));

  /** What the SDK sent, and what a raw read did. */
  async function sent(client: DynamoDBClient, command: RawReadCommand): Promise<readonly object[]> {
    await client.send(command as ScanCommand);
    await sendRaw(client, command);
    return requests.map(essence);
  }

  for (const [what, command] of COMMANDS)
    it(`ask for what the SDK asks for: ${what}`, async () => {
      const [theirs, ours] = await sent(clientOf({ region: 'eu-west-1' }), command);
      expect(ours).to.deep.equal(theirs);
    });

  for (const [what, config] of CLIENTS)
    it(`go where the SDK goes: ${what}`, async () => {
      const [theirs, ours] = await sent(clientOf(config), new ScanCommand({ TableName: 'orders' }));
      expect(ours).to.deep.equal(theirs);
    });
});
