import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  ExecuteStatementCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type AttributeValue,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { CUSTOMER_ACCOUNT, createOrders, ORDERS, startLocalAws, type LocalAws } from './support/local-aws.ts';

const LAG_MS = 60_000;

describe('What lags on demand', () => {
  let aws: LocalAws;
  let client: DynamoDBClient;
  let nowMs = Date.now();
  beforeEach(async () => {
    nowMs = Date.now();
    aws = await startLocalAws({ now: () => nowMs });
    client = aws.dynamo(CUSTOMER_ACCOUNT);
    await createOrders(client);
  });
  afterEach(() => aws.remove());

  const rule = { accountId: CUSTOMER_ACCOUNT, tableName: 'orders' };
  const item = (pk: string, g: string, x: string): Record<string, AttributeValue> => ({
    pk: { S: pk },
    sk: { N: '1' },
    g: { S: g },
    x: { S: x },
  });
  const key = (pk: string) => ({ pk: { S: pk }, sk: { N: '1' } });
  const put = (pk: string, g: string, x = 'old') =>
    client.send(new PutItemCommand({ TableName: 'orders', Item: item(pk, g, x) }));
  const shown = (items: readonly Record<string, AttributeValue>[] = []): readonly string[] =>
    items.map(({ pk, g, x }) => `${pk?.S} ${g?.S} ${x?.S}`).sort();
  const query = async (g: string, IndexName = 'by-g') => {
    const answer = await client.send(
      new QueryCommand({
        TableName: 'orders',
        IndexName,
        KeyConditionExpression: 'g = :g',
        ExpressionAttributeValues: { ':g': { S: g } },
      }),
    );
    return shown(answer.Items);
  };
  const scan = async (IndexName?: string) =>
    shown(
      (await client.send(new ScanCommand({ TableName: 'orders', ...(IndexName && { IndexName }) }))).Items,
    );

  it('an index with several key attributes lags as others do', async () => {
    const keys = [
      { AttributeName: 'cup', KeyType: 'HASH' },
      { AttributeName: 'region', KeyType: 'HASH' },
      { AttributeName: 'round', KeyType: 'RANGE' },
      { AttributeName: 'id', KeyType: 'RANGE' },
    ] as const;
    await client.send(
      new CreateTableCommand({
        TableName: 'matches',
        AttributeDefinitions: keys.map(({ AttributeName }) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        GlobalSecondaryIndexes: [
          { IndexName: 'by-place', KeySchema: [...keys], Projection: { ProjectionType: 'ALL' } },
        ],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    const play = (id: string, round: string) =>
      client.send(
        new PutItemCommand({
          TableName: 'matches',
          Item: { id: { S: id }, cup: { S: 'w' }, region: { S: 'eu' }, round: { S: round }, x: { S: round } },
        }),
      );
    const found = async () => {
      const { Items = [], Count } = await client.send(
        new QueryCommand({
          TableName: 'matches',
          IndexName: 'by-place',
          KeyConditionExpression: 'cup = :c AND #r = :r',
          FilterExpression: 'x <> :none',
          ProjectionExpression: 'id, x',
          ExpressionAttributeNames: { '#r': 'region' },
          ExpressionAttributeValues: { ':c': { S: 'w' }, ':r': { S: 'eu' }, ':none': { S: 'r0' } },
        }),
      );
      expect(Items).to.have.length(Count ?? 0);
      return Items.map(({ id, x }) => `${id?.S} ${x?.S}`);
    };
    await play('a', 'r1');
    await play('b', 'r2');
    await aws.setFaults([
      { accountId: CUSTOMER_ACCOUNT, tableName: 'matches', indexName: 'by-place', indexLagMs: LAG_MS },
    ]);
    expect(await found()).to.deep.equal(['a r1', 'b r2']);
    await play('a', 'r3');
    await play('c', 'r0');
    expect(await found()).to.deep.equal(['a r1', 'b r2']);
    nowMs += LAG_MS;
    expect(await found()).to.deep.equal(['b r2', 'a r3']);
    await aws.setFaults([]);
    await play('d', 'r9');
    expect(await found()).to.deep.equal(['b r2', 'a r3', 'd r9']);
  });

  it('an index answers as it was, while the table answers as it is', async () => {
    await put('a', 'open');
    await put('b', 'open');
    await aws.setFaults([{ ...rule, indexName: 'by-g', indexLagMs: LAG_MS }]);
    await put('a', 'closed', 'new');
    await put('c', 'open');
    await client.send(new DeleteItemCommand({ TableName: 'orders', Key: key('b') }));
    expect(await query('open')).to.deep.equal(['a open old', 'b open old']);
    expect(await query('closed')).to.deep.equal([]);
    expect(await scan('by-g')).to.deep.equal(['a open old', 'b open old']);
    expect(await scan()).to.deep.equal(['a closed new', 'c open old']);
    // Another index of the table is up to date.
    expect(await query('open', 'by-g-keys')).to.deep.equal(['c open undefined']);
  });

  it('the index follows after its lag, change by change', async () => {
    await aws.setFaults([{ ...rule, indexName: 'by-g', indexLagMs: LAG_MS }]);
    await put('a', 'open');
    nowMs += LAG_MS / 2;
    await client.send(
      new UpdateItemCommand({
        TableName: 'orders',
        Key: key('a'),
        UpdateExpression: 'SET g = :g',
        ExpressionAttributeValues: { ':g': { S: 'closed' } },
      }),
    );
    expect(await scan('by-g')).to.deep.equal([]);
    nowMs += LAG_MS / 2;
    expect(await scan('by-g')).to.deep.equal(['a open old']);
    nowMs += LAG_MS / 2;
    expect(await scan('by-g')).to.deep.equal(['a closed old']);
  });

  it('sees batches, transactions and statements write', async () => {
    await aws.setFaults([{ ...rule, indexName: 'by-g', indexLagMs: LAG_MS }]);
    await client.send(
      new BatchWriteItemCommand({
        RequestItems: { orders: ['a', 'b'].map((pk) => ({ PutRequest: { Item: item(pk, 'open', 'old') } })) },
      }),
    );
    await client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Delete: { TableName: 'orders', Key: key('a') } },
          { Put: { TableName: 'orders', Item: item('c', 'open', 'old') } },
        ],
      }),
    );
    nowMs += LAG_MS / 2;
    await client.send(
      new ExecuteStatementCommand({ Statement: `DELETE FROM "orders" WHERE "pk" = 'b' AND "sk" = 1` }),
    );
    expect(await scan('by-g')).to.deep.equal([]);
    nowMs += LAG_MS / 2;
    expect(await scan('by-g')).to.deep.equal(['b open old', 'c open old']);
    nowMs += LAG_MS / 2;
    expect(await scan('by-g')).to.deep.equal(['c open old']);
  });

  it('goes by pages, limits and units as any index', async () => {
    for (const pk of ['a', 'b', 'c']) await put(pk, 'open');
    await aws.setFaults([{ ...rule, indexName: 'by-g', indexLagMs: LAG_MS }]);
    await client.send(new DeleteItemCommand({ TableName: 'orders', Key: key('b') }));
    const met: (string | undefined)[] = [];
    let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
    do {
      const page = await client.send(
        new QueryCommand({
          TableName: 'orders',
          IndexName: 'by-g',
          Limit: 1,
          KeyConditionExpression: 'g = :g',
          ExpressionAttributeValues: { ':g': { S: 'open' } },
          ReturnConsumedCapacity: 'TOTAL',
          ...(ExclusiveStartKey && { ExclusiveStartKey }),
        }),
      );
      for (const { pk } of page.Items ?? []) met.push(pk?.S);
      expect(page.ConsumedCapacity?.CapacityUnits).to.equal(0.5);
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey !== undefined);
    expect(met.sort()).to.deep.equal(['a', 'b', 'c']);
  });

  it('is over as soon as its rule is taken away', async () => {
    await aws.setFaults([{ ...rule, indexName: 'by-g', indexLagMs: LAG_MS }]);
    await put('a', 'open');
    expect(await scan('by-g')).to.deep.equal([]);
    await aws.setFaults([]);
    expect(await scan('by-g')).to.deep.equal(['a open old']);
    await put('b', 'open');
    await aws.setFaults([{ ...rule, indexName: 'by-g', indexLagMs: LAG_MS }]);
    expect(await scan('by-g')).to.deep.equal(['a open old', 'b open old']);
  });

  const counts = async (TableName: string) => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    const indexes = Table?.GlobalSecondaryIndexes?.map(({ ItemCount, IndexSizeBytes }) => [
      ItemCount,
      IndexSizeBytes,
    ]);
    return [Table?.ItemCount, Table?.TableSizeBytes, ...(indexes ?? [])];
  };

  it('counts stay as they were, 0 for a table that is made meanwhile', async () => {
    await put('a', 'open');
    const before = await counts('orders');
    expect(before[0]).to.equal(1);
    await aws.setFaults([
      { ...rule, staleCounts: true },
      { ...rule, tableName: 'fresh', staleCounts: true },
    ]);
    await put('b', 'open');
    expect(await counts('orders')).to.deep.equal(before);
    await client.send(new CreateTableCommand({ ...ORDERS, TableName: 'fresh' }));
    await client.send(new PutItemCommand({ TableName: 'fresh', Item: item('a', 'open', 'old') }));
    expect(await counts('fresh')).to.deep.equal([0, 0, [0, 0], [0, 0]]);
    await aws.setFaults([]);
    expect((await counts('orders'))[0]).to.equal(2);
    expect((await counts('fresh'))[0]).to.equal(1);
  });

  it('refuses rules that are not whole', async () => {
    for (const wrong of [
      { ...rule, indexName: 'by-g' },
      { ...rule, indexLagMs: 1 },
      { accountId: CUSTOMER_ACCOUNT, indexName: 'by-g', indexLagMs: 1 },
      { ...rule, indexName: 'by-g', indexLagMs: -1 },
      { ...rule, indexName: 'by-g', indexLagMs: 1, error: 'ThrottlingException' },
      { ...rule, staleCounts: false },
      { ...rule, staleCounts: true, latencyMs: 1 },
      { accountId: CUSTOMER_ACCOUNT, staleCounts: true },
    ])
      expect((await aws.setFaults([wrong])).status, JSON.stringify(wrong)).to.equal(400);
  });
});
