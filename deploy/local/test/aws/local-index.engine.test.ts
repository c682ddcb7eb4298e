import {
  CreateTableCommand,
  PutItemCommand,
  QueryCommand,
  type DynamoDBClient,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { CUSTOMER_ACCOUNT, rejection, startLocalAws, type LocalAws } from './support/local-aws.ts';

describe('Local secondary indexes', () => {
  let aws: LocalAws;
  let client: DynamoDBClient;
  before(async () => {
    aws = await startLocalAws();
    client = aws.dynamo(CUSTOMER_ACCOUNT);
    await client.send(
      new CreateTableCommand({
        TableName: 'events',
        AttributeDefinitions: ['pk', 'sk', 'at'].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        LocalSecondaryIndexes: [
          {
            IndexName: 'by-time',
            KeySchema: [
              { AttributeName: 'pk', KeyType: 'HASH' },
              { AttributeName: 'at', KeyType: 'RANGE' },
            ],
            Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['kind'] },
          },
        ],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    for (const [sk, at, size] of [
      ['1', 't3', 5000],
      ['2', 't1', 10],
      ['3', 't2', 10],
    ] as const)
      await client.send(
        new PutItemCommand({
          TableName: 'events',
          Item: {
            pk: { S: 'p' },
            sk: { S: sk },
            at: { S: at },
            kind: { S: 'k' },
            body: { S: 'x'.repeat(size) },
          },
        }),
      );
  });
  after(() => aws.remove());

  const query = (fields: Partial<QueryCommandInput>) =>
    client.send(
      new QueryCommand({
        TableName: 'events',
        IndexName: 'by-time',
        KeyConditionExpression: '#p = :p',
        ExpressionAttributeNames: { '#p': 'pk', ...fields.ExpressionAttributeNames },
        ExpressionAttributeValues: { ':p': { S: 'p' } },
        ReturnConsumedCapacity: 'INDEXES',
        ...(fields.ProjectionExpression !== undefined && {
          ProjectionExpression: fields.ProjectionExpression,
        }),
        ...(fields.Select !== undefined && { Select: fields.Select }),
        ...(fields.Limit !== undefined && { Limit: fields.Limit }),
        ...(fields.FilterExpression !== undefined && { FilterExpression: fields.FilterExpression }),
      }),
    );

  it('answer from themselves what they hold', async () => {
    const page = await query({ ProjectionExpression: 'sk, kind' });
    expect(page.Items?.map((item) => item['sk']?.S)).to.deep.equal(['2', '3', '1']);
    expect(page.ConsumedCapacity?.CapacityUnits).to.equal(0.5);
  });

  it('fetch what they do not hold from the table, each item rounded up by itself', async () => {
    const page = await query({ ProjectionExpression: 'sk, #b', ExpressionAttributeNames: { '#b': 'body' } });
    expect(page.Items?.map((item) => [item['sk']?.S, item['body']?.S?.length])).to.deep.equal([
      ['2', 10],
      ['3', 10],
      ['1', 5000],
    ]);
    expect(page.ConsumedCapacity?.LocalSecondaryIndexes?.['by-time']?.CapacityUnits).to.equal(0.5);
    expect(page.ConsumedCapacity?.Table?.CapacityUnits).to.equal(2);
    expect(page.ConsumedCapacity?.CapacityUnits).to.equal(2.5);
    const [entry] = (await aws.requests(CUSTOMER_ACCOUNT)).slice(-1);
    expect(entry).to.deep.include({ operation: 'Query', indexName: 'by-time', consumedUnits: 2.5 });
  });

  it('return whole items when asked for all attributes, page by page', async () => {
    const page = await query({ Select: 'ALL_ATTRIBUTES', Limit: 2 });
    expect(page.Items?.map((item) => Object.keys(item).sort())).to.deep.equal(
      Array(2).fill(['at', 'body', 'kind', 'pk', 'sk']),
    );
    expect(page.Count).to.equal(2);
    expect(page.LastEvaluatedKey).to.have.property('sk').that.deep.equals({ S: '3' });
  });

  it('refuse a filter that the endpoint could not apply, instead of answering wrongly', async () => {
    const error = await rejection(query({ FilterExpression: 'body = :p' }));
    expect(error.message).to.contain('cannot filter a local secondary index by body');
  });
});
