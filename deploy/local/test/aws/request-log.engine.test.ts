import {
  BatchGetItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../../../services/common/test/support/until.ts';
import {
  createOrders,
  CUSTOMER_ACCOUNT,
  rejection,
  startLocalAws,
  type LocalAws,
} from './support/local-aws.ts';

const KEY = { pk: { S: 'a' }, sk: { N: '1' } };

describe('The request log', () => {
  let aws: LocalAws;
  let client: DynamoDBClient;
  before(async () => {
    aws = await startLocalAws();
    client = aws.dynamo(CUSTOMER_ACCOUNT);
    await createOrders(client);
    await client.send(new PutItemCommand({ TableName: 'orders', Item: { ...KEY, g: { S: 'G' } } }));
  });
  beforeEach(() => aws.clearRequests(CUSTOMER_ACCOUNT));
  after(() => aws.remove());

  it('tells what was read, by which index and key condition, and what it consumed', async () => {
    await client.send(
      new QueryCommand({
        TableName: 'orders',
        IndexName: 'by-g',
        KeyConditionExpression: '#g = :g',
        FilterExpression: 'amount > :n',
        ExpressionAttributeNames: { '#g': 'g' },
        ExpressionAttributeValues: { ':g': { S: 'G' }, ':n': { N: '5' } },
      }),
    );
    await client.send(new ScanCommand({ TableName: 'orders', Segment: 1, TotalSegments: 4, Limit: 7 }));
    const [query, scan, ...rest] = await aws.requests(CUSTOMER_ACCOUNT);
    expect(rest).to.deep.equal([]);
    expect(query).to.deep.include({
      operation: 'Query',
      tableName: 'orders',
      indexName: 'by-g',
      keyCondition: 'g = {"S":"G"}',
      filter: 'amount > {"N":"5"}',
      segment: null,
      consumedUnits: 0.5,
      error: null,
    });
    expect(scan).to.deep.include({
      operation: 'Scan',
      tableName: 'orders',
      indexName: null,
      keyCondition: null,
      segment: 1,
      totalSegments: 4,
      limit: 7,
    });
  });

  it('has one entry for every table of a batch', async () => {
    const { ConsumedCapacity } = await client.send(
      new BatchGetItemCommand({ RequestItems: { orders: { Keys: [KEY, { ...KEY, sk: { N: '2' } }] } } }),
    );
    expect(ConsumedCapacity).to.equal(undefined);
    const [entry] = await aws.requests(CUSTOMER_ACCOUNT);
    expect(entry).to.deep.include({
      operation: 'BatchGetItem',
      tableName: 'orders',
      keys: 2,
      consumedUnits: 1,
    });
  });

  it('hides units from a caller who did not ask for them and shows them to one who did', async () => {
    const get = (asked?: 'NONE' | 'TOTAL') =>
      client.send(
        new GetItemCommand({
          TableName: 'orders',
          Key: KEY,
          ...(asked && { ReturnConsumedCapacity: asked }),
        }),
      );
    expect((await get()).ConsumedCapacity).to.equal(undefined);
    expect((await get('NONE')).ConsumedCapacity).to.equal(undefined);
    expect((await get('TOTAL')).ConsumedCapacity?.CapacityUnits).to.equal(0.5);
    const units = (await aws.requests(CUSTOMER_ACCOUNT)).map((entry) => entry['consumedUnits']);
    expect(units).to.deep.equal([0.5, 0.5, 0.5]);
  });

  it('returns items whole that have attributes named like the members it reads', async () => {
    const item = {
      pk: { S: 'odd' },
      sk: { N: '1' },
      ConsumedCapacity: { S: '"Count":1}' },
      Count: { N: '9' },
    };
    await client.send(new PutItemCommand({ TableName: 'orders', Item: item }));
    const got = await client.send(
      new GetItemCommand({ TableName: 'orders', Key: { pk: item.pk, sk: item.sk } }),
    );
    expect(got.Item).to.deep.equal(item);
    const query = { KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': item.pk } };
    const found = await client.send(new QueryCommand({ TableName: 'orders', ...query }));
    expect(found.Items).to.deep.equal([item]);
    expect(found.Count).to.equal(1);
  });

  it('names the error of a refused request, which consumes nothing', async () => {
    await rejection(client.send(new ScanCommand({ TableName: 'missing' })));
    const [entry] = await aws.requests(CUSTOMER_ACCOUNT);
    expect(entry).to.deep.include({
      error: 'ResourceNotFoundException',
      consumedUnits: 0,
      tableName: 'missing',
    });
  });

  it('tells which answers the caller went away from, also where they were sent', async () => {
    const rows = Array.from({ length: 3 }, (_, i) => ({ pk: { S: 'wide' }, sk: { N: String(i) } }));
    for (const row of rows)
      await client.send(
        new PutItemCommand({ TableName: 'orders', Item: { ...row, filler: { S: 'x'.repeat(300_000) } } }),
      );
    await aws.clearRequests(CUSTOMER_ACCOUNT);
    const { port } = new URL(aws.url);
    const sockets: Socket[] = [];
    let isReading = true;
    const between = createServer((caller) => {
      const upstream = connect(Number(port), '127.0.0.1');
      sockets.push(caller, upstream);
      caller.pipe(upstream);
      if (isReading) upstream.pipe(caller);
      for (const socket of [caller, upstream]) socket.on('error', () => undefined);
    });
    between.listen(0, '127.0.0.1');
    await once(between, 'listening');
    const ask = (): Promise<unknown> => {
      const endpoint = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
      const other = aws.dynamo(CUSTOMER_ACCOUNT, { endpoint });
      return other.send(new ScanCommand({ TableName: 'orders' })).finally(() => other.destroy());
    };
    await ask();
    isReading = false;
    const unread = ask().catch(() => null);
    await until(async () => (await aws.requests(CUSTOMER_ACCOUNT)).length === 2);
    // Sleeps: it was sent, as far as it goes, which nobody sees.
    await pause(100);
    for (const socket of sockets) socket.destroy();
    await unread;
    between.close();
    const answered = async () => (await aws.requests(CUSTOMER_ACCOUNT)).map((entry) => entry['wasAnswered']);
    await until(async () => (await answered())[1] === false, {
      what: 'it is known not to have been answered',
    });
    expect(await answered()).to.deep.equal([true, false]);
  });

  it('is kept by account, cleared by account, and asked with an account', async () => {
    await client.send(new GetItemCommand({ TableName: 'orders', Key: KEY }));
    expect(await aws.requests('444455556666')).to.deep.equal([]);
    await aws.clearRequests('444455556666');
    expect(await aws.requests(CUSTOMER_ACCOUNT)).to.have.length(1);
    await aws.clearRequests(CUSTOMER_ACCOUNT);
    expect(await aws.requests(CUSTOMER_ACCOUNT)).to.deep.equal([]);
    expect((await fetch(`${aws.url}/_requests`)).status).to.equal(400);
  });
});
