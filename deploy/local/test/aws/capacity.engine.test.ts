import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DescribeTableCommand,
  GetItemCommand,
  paginateScan,
  QueryCommand,
  ScanCommand,
  type AttributeValue,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { createOrders, CUSTOMER_ACCOUNT, REGION, startLocalAws, type LocalAws } from './support/local-aws.ts';

const ITEMS = 2500;
/** pk 2+1, sk 2+2 (3 for three digits and more), g 1+1, x 1+990: about 1,000 bytes. */
const item = (sk: number): Record<string, AttributeValue> => ({
  pk: { S: String(sk % 5) },
  sk: { N: String(1000 + sk) },
  g: { S: 'G' },
  x: { S: 'x'.repeat(990) },
});
/** 3 + 2+3 + 2 + 991 bytes; numbers that end in zeros are stored shorter. */
const ITEM_BYTES_MAX = 1001;

describe('Consumed capacity and sizes', () => {
  let aws: LocalAws;
  let client: DynamoDBClient;
  const TOTAL = { TableName: 'orders', ReturnConsumedCapacity: 'TOTAL' } as const;
  before(async () => {
    aws = await startLocalAws();
    client = aws.dynamo(CUSTOMER_ACCOUNT);
    await createOrders(client);
    for (let from = 0; from < ITEMS; from += 25) {
      const puts = Array.from({ length: 25 }, (_, at) => ({ PutRequest: { Item: item(from + at) } }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { orders: puts } }));
    }
  });
  after(() => aws.remove());

  const key = (sk: number) => ({ pk: { S: String(sk % 5) }, sk: { N: String(1000 + sk) } });
  const missing = { pk: { S: 'nobody' }, sk: { N: '1' } };

  it('is half a unit for each 4 KB of an item or a missing one, double when consistent', async () => {
    const units = async (Key: Record<string, AttributeValue>, ConsistentRead: boolean) =>
      (await client.send(new GetItemCommand({ ...TOTAL, Key, ConsistentRead }))).ConsumedCapacity
        ?.CapacityUnits;
    expect(await units(key(1), false)).to.equal(0.5);
    expect(await units(key(1), true)).to.equal(1);
    expect(await units(missing, false)).to.equal(0.5);
    expect(await units(missing, true)).to.equal(1);
  });

  it('rounds up for every item of a batch', async () => {
    const batch = new BatchGetItemCommand({
      RequestItems: { orders: { Keys: [key(1), key(2), key(3), missing] } },
      ReturnConsumedCapacity: 'TOTAL',
    });
    expect((await client.send(batch)).ConsumedCapacity?.[0]?.CapacityUnits).to.equal(2);
  });

  describe('of items of which a part is asked for', () => {
    /** 12,000 bytes: 3 steps of 4 KB each. */
    const big = (sk: string) => ({ pk: { S: 'big' }, sk: { N: sk }, x: { S: 'x'.repeat(11_900) } });
    const keys = ['1', '2'].map((sk) => ({ pk: { S: 'big' }, sk: { N: sk } }));
    const projected = { ProjectionExpression: '#s', ExpressionAttributeNames: { '#s': 'sk' } };
    before(async () => {
      const puts = ['1', '2'].map((sk) => ({ PutRequest: { Item: big(sk) } }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { orders: puts } }));
    });
    after(async () => {
      const deletes = keys.map((Key) => ({ DeleteRequest: { Key } }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { orders: deletes } }));
    });

    for (const [ConsistentRead, factor] of [
      [false, 1],
      [true, 2],
    ] as const) {
      it(`counts whole items${ConsistentRead ? ', consistent' : ''}: projections spare no units`, async () => {
        const [Key] = keys;
        const got = await client.send(new GetItemCommand({ ...TOTAL, Key, ConsistentRead, ...projected }));
        expect(got.Item).to.deep.equal({ sk: { N: '1' } });
        expect(got.ConsumedCapacity?.CapacityUnits).to.equal(1.5 * factor);
        const batch = await client.send(
          new BatchGetItemCommand({
            RequestItems: { orders: { Keys: keys, ConsistentRead, ...projected } },
            ReturnConsumedCapacity: 'TOTAL',
          }),
        );
        expect(batch.ConsumedCapacity?.[0]?.CapacityUnits).to.equal(3 * factor);
        const query = await client.send(
          new QueryCommand({
            ...TOTAL,
            ...projected,
            KeyConditionExpression: 'pk = :p',
            ExpressionAttributeValues: { ':p': { S: 'big' } },
            ConsistentRead,
          }),
        );
        expect(query.ConsumedCapacity?.CapacityUnits).to.equal(3 * factor);
        const count = await client.send(
          new QueryCommand({
            ...TOTAL,
            Select: 'COUNT',
            KeyConditionExpression: 'pk = :p',
            ExpressionAttributeValues: { ':p': { S: 'big' } },
            ConsistentRead,
          }),
        );
        expect(count.ConsumedCapacity?.CapacityUnits).to.equal(3 * factor);
        const scan = await client.send(
          new ScanCommand({ ...TOTAL, ...projected, Limit: 1, ConsistentRead, ExclusiveStartKey: keys[0] }),
        );
        expect(scan.Items).to.deep.equal([{ sk: { N: '2' } }]);
        expect(scan.ConsumedCapacity?.CapacityUnits).to.equal(1.5 * factor);
      });
    }
  });

  it('rounds a query up once, by what it read and not by what it returned', async () => {
    const query = (fields: object) =>
      client.send(
        new QueryCommand({
          ...TOTAL,
          KeyConditionExpression: 'pk = :p',
          ExpressionAttributeValues: { ':p': { S: '1' } },
          ProjectionExpression: 'sk',
          Limit: 10,
          ...fields,
        }),
      );
    expect((await query({})).ConsumedCapacity?.CapacityUnits).to.equal(1.5);
    expect((await query({ ConsistentRead: true })).ConsumedCapacity?.CapacityUnits).to.equal(3);
  });

  it('counts an index by its own entries', async () => {
    const query = (IndexName: string) =>
      client.send(
        new QueryCommand({
          ...TOTAL,
          IndexName,
          Limit: 100,
          KeyConditionExpression: 'g = :g',
          ExpressionAttributeValues: { ':g': { S: 'G' } },
        }),
      );
    expect((await query('by-g')).ConsumedCapacity?.CapacityUnits).to.equal(12.5);
    expect((await query('by-g-keys')).ConsumedCapacity?.CapacityUnits).to.equal(0.5);
  });

  for (const [what, filter] of [
    ['without a filter', {}],
    ['with a filter', { FilterExpression: 'attribute_not_exists(x)' }],
  ] as const)
    it(`scans every item once in pages of a megabyte, ${what}`, async () => {
      let [scanned, units, pages] = [0, 0, 0];
      for await (const page of paginateScan({ client }, { ...TOTAL, ...filter })) {
        scanned += page.ScannedCount ?? 0;
        units += page.ConsumedCapacity?.CapacityUnits ?? 0;
        pages += 1;
      }
      expect(scanned).to.equal(ITEMS);
      expect(pages).to.equal(3);
      const least = (ITEMS * (ITEM_BYTES_MAX - 2)) / 8192;
      expect(units).to.be.within(Math.floor(least), Math.ceil(least) + pages);
    });

  it('counts as scanned what a limit lets through', async () => {
    const page = await client.send(
      new ScanCommand({ ...TOTAL, Limit: 7, FilterExpression: 'attribute_not_exists(x)' }),
    );
    expect([page.Count, page.ScannedCount]).to.deep.equal([0, 7]);
  });

  it('gives every item to exactly one segment of a parallel scan', async () => {
    const TotalSegments = 4;
    const segments = await Promise.all(
      Array.from({ length: TotalSegments }, async (_, Segment) => {
        const seen: string[] = [];
        const input = { TableName: 'orders', Segment, TotalSegments, ProjectionExpression: 'sk' };
        for await (const page of paginateScan({ client }, input))
          seen.push(...(page.Items ?? []).map((one) => one['sk']?.N ?? ''));
        return seen;
      }),
    );
    expect(segments.flat()).to.have.length(ITEMS);
    expect(new Set(segments.flat()).size).to.equal(ITEMS);
  });

  it('describes a table with its place, its items and the sizes of table and indexes', async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'orders' }));
    const arn = `arn:aws:dynamodb:${REGION}:${CUSTOMER_ACCOUNT}:table/orders`;
    expect(Table?.TableArn).to.equal(arn);
    expect(Table?.ItemCount).to.equal(ITEMS);
    expect(Table?.TableSizeBytes).to.be.within(ITEMS * (ITEM_BYTES_MAX - 2), ITEMS * ITEM_BYTES_MAX);
    const index = (name: string) =>
      Table?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === name);
    expect(index('by-g')?.IndexArn).to.equal(`${arn}/index/by-g`);
    expect(index('by-g')?.ItemCount).to.equal(ITEMS);
    expect(index('by-g')?.IndexSizeBytes).to.be.within(
      Number(Table?.TableSizeBytes) - 50,
      Number(Table?.TableSizeBytes) + 50,
    );
    expect(index('by-g-keys')?.IndexSizeBytes).to.be.within(ITEMS * 8, ITEMS * 10);
  });
});
