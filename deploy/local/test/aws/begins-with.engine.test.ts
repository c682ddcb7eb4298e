import {
  CreateTableCommand,
  PutItemCommand,
  QueryCommand,
  type AttributeValue,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { CUSTOMER_ACCOUNT, startLocalAws, type LocalAws } from './support/local-aws.ts';

const TEXTS = ['A', 'Ab', 'a', 'a%', 'a%b', 'a_', 'ab', 'aé', 'a\u{10ffff}', 'b', 'É1', 'é1'];
const BYTES = [[0x41], [0x61], [0x61, 0], [0x61, 0xff, 0xff], [0x62]];

describe('begins_with of a key', () => {
  let aws: LocalAws;
  let client: DynamoDBClient;
  before(async () => {
    aws = await startLocalAws();
    client = aws.dynamo(CUSTOMER_ACCOUNT);
    for (const [TableName, AttributeType] of [
      ['texts', 'S'],
      ['bytes', 'B'],
    ] as const)
      await client.send(
        new CreateTableCommand({
          TableName,
          AttributeDefinitions: [
            { AttributeName: 'pk', AttributeType: 'S' },
            { AttributeName: 'sk', AttributeType },
          ],
          KeySchema: [
            { AttributeName: 'pk', KeyType: 'HASH' },
            { AttributeName: 'sk', KeyType: 'RANGE' },
          ],
          BillingMode: 'PAY_PER_REQUEST',
        }),
      );
    const put = (TableName: string, sk: AttributeValue) =>
      client.send(new PutItemCommand({ TableName, Item: { pk: { S: 'p' }, sk, same: sk } }));
    for (const sk of TEXTS) await put('texts', { S: sk });
    for (const sk of BYTES) await put('bytes', { B: Uint8Array.from(sk) });
  });
  after(() => aws.remove());

  const query = (TableName: string, prefix: AttributeValue, limit?: number) =>
    client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'begins_with(#s, :v) AND (#p = :p)',
        ExpressionAttributeNames: { '#p': 'pk', '#s': 'sk' },
        ExpressionAttributeValues: { ':p': { S: 'p' }, ':v': prefix },
        ...(limit !== undefined && { Limit: limit, ScanIndexForward: false }),
      }),
    );
  const sorted = (texts: readonly string[]) =>
    texts.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));

  for (const prefix of ['a', 'A', 'a%', 'a_', 'é', 'aé', 'a\u{10ffff}', 'nothing'])
    it(`finds texts that begin with ${JSON.stringify(prefix)}, case and all`, async () => {
      const { Items = [], ScannedCount } = await query('texts', { S: prefix });
      const wanted = sorted(TEXTS.filter((one) => one.startsWith(prefix)));
      expect(Items.map(({ sk }) => sk?.S)).to.deep.equal(wanted);
      expect(ScannedCount).to.equal(wanted.length);
    });

  it('finds bytes', async () => {
    const { Items = [] } = await query('bytes', { B: Uint8Array.of(0x61) });
    expect(Items.map(({ sk }) => [...(sk?.B ?? [])])).to.deep.equal([[0x61], [0x61, 0], [0x61, 0xff, 0xff]]);
  });

  it('finds the last ones of a page that is cut', async () => {
    const { Items = [], ScannedCount } = await query('texts', { S: 'a' }, 2);
    expect(Items.map(({ sk }) => sk?.S)).to.deep.equal(['a\u{10ffff}', 'aé']);
    expect(ScannedCount).to.equal(2);
  });

  it('filters by case too', async () => {
    const { Items = [], ScannedCount } = await client.send(
      new QueryCommand({
        TableName: 'texts',
        KeyConditionExpression: 'pk = :p',
        FilterExpression: 'begins_with(same, :v)',
        ExpressionAttributeValues: { ':p': { S: 'p' }, ':v': { S: 'a' } },
      }),
    );
    expect(Items.map(({ sk }) => sk?.S)).to.deep.equal(sorted(TEXTS.filter((one) => one.startsWith('a'))));
    expect(ScannedCount).to.equal(TEXTS.length);
  });
});
