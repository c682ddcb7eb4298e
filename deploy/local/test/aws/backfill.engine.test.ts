import {
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
  UpdateTableCommand,
  type AttributeValue,
  type DynamoDBClient,
  type KeySchemaElement,
} from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { CUSTOMER_ACCOUNT, rejection, startLocalAws, type LocalAws } from './support/local-aws.ts';

const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(7);

/** Values of `k` before there is an index on it, and which type of key each can be; long: of a sort key only too long. */
const VALUES: readonly (readonly [id: string, value: AttributeValue | null, type: 'S' | 'N' | 'B' | null])[] =
  [
    ['text', { S: 'a' }, 'S'],
    ['text-7', { S: '07' }, 'S'],
    ['wide', { S: 'é'.repeat(512) }, 'S'],
    ['text-long', { S: 'x'.repeat(1025) }, 'S'],
    ['text-too-long', { S: 'é'.repeat(1025) }, null],
    ['text-empty', { S: '' }, null],
    ['number', { N: '7' }, 'N'],
    ['bytes', { B: bytes(3) }, 'B'],
    ['bytes-2048', { B: bytes(2048) }, 'B'],
    ['bytes-too-long', { B: bytes(2049) }, null],
    ['bytes-empty', { B: bytes(0) }, null],
    ['truth', { BOOL: true }, null],
    ['null', { NULL: true }, null],
    ['set', { SS: ['a'] }, null],
    ['list', { L: [{ S: 'a' }] }, null],
    ['absent', null, null],
  ];

describe('An index that is added to a table that has items', () => {
  let aws: LocalAws;
  let client: DynamoDBClient;
  const table = 'values';
  before(async () => {
    aws = await startLocalAws();
    client = aws.dynamo(CUSTOMER_ACCOUNT);
    await client.send(
      new CreateTableCommand({
        TableName: table,
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    for (const [id, value] of VALUES)
      await client.send(
        new PutItemCommand({
          TableName: table,
          Item: { id: { S: id }, all: { S: 'all' }, ...(value === null ? {} : { [ATTRIBUTE]: value }) },
        }),
      );
  });
  after(() => aws.remove());

  /** Quotes of every kind: it is written into what the endpoint asks SQLite. */
  const ATTRIBUTE = `k"'s`;
  const addIndex = (IndexName: string, type: 'S' | 'N' | 'B', KeySchema: readonly KeySchemaElement[]) =>
    client.send(
      new UpdateTableCommand({
        TableName: table,
        AttributeDefinitions: [
          { AttributeName: 'id', AttributeType: 'S' },
          { AttributeName: 'all', AttributeType: 'S' },
          { AttributeName: ATTRIBUTE, AttributeType: type },
        ],
        GlobalSecondaryIndexUpdates: [
          { Create: { IndexName, KeySchema: [...KeySchema], Projection: { ProjectionType: 'ALL' } } },
        ],
      }),
    );
  const drop = (IndexName: string) =>
    client.send(
      new UpdateTableCommand({
        TableName: table,
        GlobalSecondaryIndexUpdates: [{ Delete: { IndexName } }],
      }),
    );
  const idsOf = (items: readonly Record<string, AttributeValue>[] = []) =>
    items.map(({ id }) => id?.S ?? '').sort();
  const scan = async (IndexName: string) =>
    idsOf((await client.send(new ScanCommand({ TableName: table, IndexName }))).Items);
  const thatCanBe = (type: string) => VALUES.flatMap(([id, , able]) => (able === type ? [id] : [])).sort();

  for (const type of ['S', 'N', 'B'] as const) {
    it(`lacks items whose value is no partition key of type ${type}`, async () => {
      await addIndex('by-k', type, [{ AttributeName: ATTRIBUTE, KeyType: 'HASH' }]);
      expect(await scan('by-k')).to.deep.equal(thatCanBe(type));
      const { Table } = await client.send(new DescribeTableCommand({ TableName: table }));
      expect(Table?.GlobalSecondaryIndexes?.[0]?.ItemCount).to.equal(thatCanBe(type).length);
      await drop('by-k');
    });

    it(`lacks items whose value is no sort key of type ${type}, which may be half as long`, async () => {
      await addIndex('by-all', type, [
        { AttributeName: 'all', KeyType: 'HASH' },
        { AttributeName: ATTRIBUTE, KeyType: 'RANGE' },
      ]);
      const found = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: 'by-all',
          KeyConditionExpression: '#a = :a',
          ExpressionAttributeNames: { '#a': 'all' },
          ExpressionAttributeValues: { ':a': { S: 'all' } },
        }),
      );
      expect(idsOf(found.Items)).to.deep.equal(
        thatCanBe(type).filter((id) => id !== 'text-long' && id !== 'bytes-2048'),
      );
      await drop('by-all');
    });
  }

  it('goes on lacking them when anything else of them changes, until the value can be its key', async () => {
    await addIndex('by-k', 'S', [{ AttributeName: ATTRIBUTE, KeyType: 'HASH' }]);
    const Key = { id: { S: 'number' } };
    const set = (name: string, value: AttributeValue) =>
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key,
          UpdateExpression: 'SET #n = :v',
          ExpressionAttributeNames: { '#n': name },
          ExpressionAttributeValues: { ':v': value },
        }),
      );
    await set('other', { S: 'x' });
    expect(await scan('by-k')).to.deep.equal(thatCanBe('S'));
    expect((await rejection(set(ATTRIBUTE, { N: '8' }))).message).to.match(/Type mismatch for Index Key/);
    await set(ATTRIBUTE, { S: 'now a text' });
    expect(await scan('by-k')).to.include('number');
    await client.send(new DeleteItemCommand({ TableName: table, Key }));
    expect(await scan('by-k')).to.not.include('number');
    await drop('by-k');
  });
});
