import {
  BatchGetItemCommand,
  QueryCommand,
  ScanCommand,
  type AttributeValue,
  type DynamoDBClient,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import {
  createOrders,
  CUSTOMER_ACCOUNT,
  rejection,
  startLocalAws,
  type LocalAws,
} from './support/local-aws.ts';

/** Each group: what DynamoDB accepts, next to what it refuses and dynoxide would not. */
describe('What DynamoDB refuses', () => {
  let aws: LocalAws;
  let client: DynamoDBClient;
  before(async () => {
    aws = await startLocalAws();
    client = aws.dynamo(CUSTOMER_ACCOUNT);
    await createOrders(client);
  });
  after(() => aws.remove());

  type Values = Record<string, AttributeValue>;
  const numbered = (count: number): Values =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`:v${at}`, { S: String(at) }]));
  const filter = (expression: string, values: Values, names?: Record<string, string>) =>
    client.send(
      new ScanCommand({
        TableName: 'orders',
        FilterExpression: expression,
        ExpressionAttributeValues: values,
        ...(names && { ExpressionAttributeNames: names }),
      }),
    );
  const query = (expression: string, values: Values, more: Partial<QueryCommandInput> = {}) =>
    client.send(
      new QueryCommand({
        TableName: 'orders',
        KeyConditionExpression: expression,
        ExpressionAttributeValues: values,
        ...more,
      }),
    );
  async function refusal(sent: Promise<unknown>): Promise<string> {
    const error = await rejection(sent);
    expect(error.name).to.equal('ValidationException');
    return error.message;
  }

  it('is more than 100 operands of IN', async () => {
    const among = (count: number) =>
      filter(`x IN (${Object.keys(numbered(count)).join(', ')})`, numbered(count));
    await among(100);
    expect(await refusal(among(101))).to.contain('too many operands; number of operands: 101');
  });

  it('is more than 300 operators', async () => {
    const compared = (count: number) => filter(Array(count).fill('x = :v0').join(' OR '), numbered(1));
    await compared(150);
    expect(await refusal(compared(151))).to.contain('operator count: 301');
  });

  it('is an expression above 4 KB', async () => {
    const long = (bytes: number) => filter('x = :v0'.padEnd(bytes), numbered(1));
    await long(4096);
    expect(await refusal(long(4097))).to.contain('expression size: 4097');
  });

  it('is a key condition of another type than the key', async () => {
    const wrong = 'Condition parameter type does not match schema type';
    expect(await refusal(query('pk = :p', { ':p': { N: '1' } }))).to.contain(wrong);
    expect(await refusal(query('pk = :p AND sk > :s', { ':p': { S: 'a' }, ':s': { S: '1' } }))).to.contain(
      wrong,
    );
    expect(await refusal(query('g = :p', { ':p': { N: '1' } }, { IndexName: 'by-g' }))).to.contain(wrong);
    await query(
      '(#p = :p) AND (sk BETWEEN :a AND :b)',
      { ':p': { S: 'a' }, ':a': { N: '1' }, ':b': { N: '2' } },
      {
        ExpressionAttributeNames: { '#p': 'pk' },
      },
    );
  });

  it('is begins_with on a number, an empty key and a key that is too long', async () => {
    const begins = query('pk = :p AND begins_with(sk, :s)', { ':p': { S: 'a' }, ':s': { N: '1' } });
    expect(await refusal(begins)).to.contain('operator or function: begins_with, operand type: N');
    expect(await refusal(query('pk = :p', { ':p': { S: '' } }))).to.contain('empty string value. Key: pk');
    expect(await refusal(query('pk = :p', { ':p': { S: 'é'.repeat(1025) } }))).to.contain(
      'limit of2048 bytes',
    );
    await query('pk = :p', { ':p': { S: 'é'.repeat(1024) } });
  });

  it('is a starting key of another partition', async () => {
    const from = (pk: string) =>
      query('pk = :p', { ':p': { S: 'a' } }, { ExclusiveStartKey: { pk: { S: pk }, sk: { N: '1' } } });
    await from('a');
    expect(await refusal(from('b'))).to.contain('outside query boundaries');
  });

  it('is an attribute that a global index does not hold', async () => {
    const on = (fields: Partial<QueryCommandInput>, values: Values = {}) =>
      query('g = :g', { ':g': { S: 'G' }, ...values }, { IndexName: 'by-g-keys', ...fields });
    await on({ ProjectionExpression: 'pk, sk, g' });
    expect(await refusal(on({ ProjectionExpression: 'pk, x.y' }))).to.contain(
      'by-g-keys does not project [x]',
    );
    const filtered = on(
      { FilterExpression: '#x.y = :v', ExpressionAttributeNames: { '#x': 'x' } },
      { ':v': { N: '1' } },
    );
    expect(await refusal(filtered)).to.contain('does not project [x]');
  });

  it('is a filter with operands that can never be compared', async () => {
    const values = {
      ':n1': { N: '10' },
      ':n2': { N: '9.5' },
      ':s': { S: 'a' },
      ':t': { BOOL: true },
    } as const;
    const use = (expression: string) =>
      filter(
        expression,
        Object.fromEntries(Object.entries(values).filter(([name]) => expression.includes(name))),
      );
    await use('x BETWEEN :n2 AND :n1');
    await use('x = :t');
    expect(await refusal(use('x BETWEEN :n1 AND :n2'))).to.contain(
      'upper bound to be greater than or equal to',
    );
    expect(await refusal(use('x BETWEEN :n1 AND :s'))).to.contain('same data type');
    expect(await refusal(use('x > :t'))).to.contain('operator or function: >, operand type: BOOL');
    expect(await refusal(use('attribute_type(x, :s)'))).to.contain(
      'Invalid attribute type name found; type: a',
    );
    expect(await refusal(use('x = :s OR y = y'))).to.contain('first operand: [y]');
  });

  it('is more than 100 keys in a batch, or the same key twice', async () => {
    const batch = (sks: string[]) =>
      client.send(
        new BatchGetItemCommand({
          RequestItems: { orders: { Keys: sks.map((N) => ({ pk: { S: 'a' }, sk: { N } })) } },
        }),
      );
    await batch(['1', '10', '0.1', '-1']);
    await refusal(batch(Array.from({ length: 101 }, (_, at) => String(at))));
    expect(await refusal(batch(['1', '1.0']))).to.contain('duplicates');
    expect(await refusal(batch(['100', '1e2']))).to.contain('duplicates');
  });
});
