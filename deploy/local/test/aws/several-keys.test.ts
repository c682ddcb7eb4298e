import {
  CreateTableCommand,
  DescribeTableCommand,
  QueryCommand,
  ScanCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { CUSTOMER_ACCOUNT, rejection, startLocalAws, type LocalAws } from './support/local-aws.ts';

describe('An index with several key attributes', () => {
  const KEYS = [
    { AttributeName: 'tournament', KeyType: 'HASH' },
    { AttributeName: 'region', KeyType: 'HASH' },
    { AttributeName: 'round', KeyType: 'RANGE' },
    { AttributeName: 'bracket', KeyType: 'RANGE' },
  ] as const;
  let aws: LocalAws;
  let client: DynamoDBClient;
  before(async () => {
    aws = await startLocalAws();
    client = aws.dynamo(CUSTOMER_ACCOUNT);
    await client.send(
      new CreateTableCommand({
        TableName: 'matches',
        AttributeDefinitions: ['id', ...KEYS.map((key) => key.AttributeName)].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        GlobalSecondaryIndexes: [
          { IndexName: 'by-place', KeySchema: [...KEYS], Projection: { ProjectionType: 'ALL' } },
        ],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
  });
  after(() => aws.remove());

  const refused = async (condition: string): Promise<string> => {
    const used = [...new Set(condition.match(/:\w+/g))];
    const query = new QueryCommand({
      TableName: 'matches',
      IndexName: 'by-place',
      KeyConditionExpression: condition,
      ExpressionAttributeNames: {
        '#t': 'tournament',
        ...(condition.includes('#r') ? { '#r': 'region' } : {}),
      },
      ExpressionAttributeValues: Object.fromEntries(used.map((name) => [name, { S: 'x' }])),
    });
    const { name, message } = await rejection(client.send(query));
    expect(name).to.equal('ValidationException');
    return message;
  };

  it('is described with all of them', async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'matches' }));
    expect(Table?.GlobalSecondaryIndexes?.[0]?.KeySchema).to.deep.equal(KEYS);
  });

  it('is queried by all partition key attributes, and sort key attributes from left to right', async () => {
    expect(await refused('#t = :a')).to.equal('Query condition missed key schema element: region');
    expect(await refused('#t = :a AND #r > :b')).to.equal('Query key condition not supported');
    expect(await refused('#t = :a AND #r = :b AND bracket = :c')).to.equal(
      'RANGE key attributes round must have equality conditions specified in the query because a condition is present on key attribute bracket',
    );
    expect(await refused('#t = :a AND #r = :b AND round > :c AND bracket = :d')).to.equal(
      'Query key condition not supported',
    );
  });

  it('is not read here otherwise: the stores would answer wrongly', async () => {
    expect(await refused('#t = :a AND #r = :b AND round = :c AND bracket > :d')).to.match(
      /cannot read an index/,
    );
    const scan = new ScanCommand({ TableName: 'matches', IndexName: 'by-place' });
    expect((await rejection(client.send(scan))).message).to.match(/cannot read an index/);
  });
});
