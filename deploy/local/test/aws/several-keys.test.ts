import {
  CreateTableCommand,
  DescribeTableCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateTableCommand,
  type AttributeValue,
  type DynamoDBClient,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { toItem } from '@penstock/common/store/item.ts';
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

  const PLAYED = [
    // id, tournament, region, round, bracket, score
    ['a', 'w24', 'eu', 1, 'upper', 10],
    ['b', 'w24', 'eu', 2, 'lower', 20],
    ['c', 'w24', 'eu', 2, 'upper', 30],
    ['d', 'w24', 'eu', 10, 'final', 40],
    ['e', 'w24', 'na', 1, 'upper', 50],
    ['f', 's24', 'eu', 1, 'upper', 60],
    // These lack an attribute, so they are not in the index.
    ['g', 'w24', 'eu', 1, null, 70],
    ['h', 'w24', null, 1, 'upper', 80],
  ] as const;
  type Input = Omit<QueryCommandInput, 'TableName' | 'IndexName'>;
  const at = (condition: string, values: Record<string, string | number>, more: Input = {}): Input => ({
    KeyConditionExpression: `tournament = :t AND #r = :r${condition}`,
    ...more,
    ExpressionAttributeNames: { '#r': 'region', ...more.ExpressionAttributeNames },
    ExpressionAttributeValues: {
      ...toItem({ ':t': 'w24', ':r': 'eu', ...values }),
      ...more.ExpressionAttributeValues,
    },
  });
  const ids = (items: readonly Record<string, AttributeValue>[] = []) =>
    items.map(({ id }) => id?.S).join('');

  for (const made of ['with its table', 'for a table that has items'] as const)
    describe(`made ${made}`, () => {
      const TableName = made === 'with its table' ? 'made-before' : 'made-after';
      const IndexName = 'by-place';
      const query = (input: Input) => client.send(new QueryCommand({ ...input, TableName, IndexName }));

      before(async () => {
        const definitions = (...names: readonly string[]) =>
          names.map((AttributeName) => ({
            AttributeName,
            AttributeType: AttributeName === 'round' ? ('N' as const) : ('S' as const),
          }));
        const index = { IndexName, KeySchema: [...KEYS], Projection: { ProjectionType: 'ALL' as const } };
        const keysOnly = {
          IndexName: 'keys-only',
          KeySchema: [...KEYS],
          Projection: { ProjectionType: 'KEYS_ONLY' as const },
        };
        const all = definitions('id', ...KEYS.map((key) => key.AttributeName));
        await client.send(
          new CreateTableCommand({
            TableName,
            AttributeDefinitions: made === 'with its table' ? all : definitions('id'),
            KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
            ...(made === 'with its table' ? { GlobalSecondaryIndexes: [index, keysOnly] } : {}),
            BillingMode: 'PAY_PER_REQUEST',
          }),
        );
        for (const [id, tournament, region, round, bracket, score] of PLAYED)
          await client.send(
            new PutItemCommand({
              TableName,
              Item: toItem({
                id,
                tournament,
                region: region ?? undefined,
                round,
                bracket: bracket ?? undefined,
                score,
                of: { day: 'mon' },
              }),
            }),
          );
        if (made === 'with its table') return;
        for (const Create of [index, keysOnly]) {
          const { TableDescription } = await client.send(
            new UpdateTableCommand({
              TableName,
              AttributeDefinitions: all,
              GlobalSecondaryIndexUpdates: [{ Create }],
            }),
          );
          expect(
            TableDescription?.GlobalSecondaryIndexes?.find((one) => one.IndexName === Create.IndexName)
              ?.KeySchema,
          ).to.deep.equal(KEYS);
        }
      });

      it('is described with all its attributes and their types', async () => {
        const { Table } = await client.send(new DescribeTableCommand({ TableName }));
        for (const { KeySchema } of Table?.GlobalSecondaryIndexes ?? [])
          expect(KeySchema).to.deep.equal(KEYS);
        expect(Table?.GlobalSecondaryIndexes).to.have.length(2);
        expect(Table?.AttributeDefinitions).to.have.deep.members([
          ...['id', 'tournament', 'region', 'bracket'].map((AttributeName) => ({
            AttributeName,
            AttributeType: 'S',
          })),
          { AttributeName: 'round', AttributeType: 'N' },
        ]);
      });

      it('gives what the condition asks for, by sort key attributes, without items that lack one', async () => {
        for (const [condition, values, expected] of [
          ['', {}, 'abcd'],
          [' AND round = :n', { ':n': 2 }, 'bc'],
          [' AND round > :n', { ':n': 1 }, 'bcd'],
          [' AND round BETWEEN :n AND :m', { ':n': 2, ':m': 9 }, 'bc'],
          [' AND round = :n AND bracket >= :b', { ':n': 2, ':b': 'm' }, 'c'],
          [' AND round = :n AND begins_with(bracket, :b)', { ':n': 2, ':b': 'low' }, 'b'],
          [' AND round <= :n', { ':n': '2' }, null],
        ] as const) {
          const found = query(at(condition, values));
          if (expected === null) expect((await rejection(found)).name).to.equal('ValidationException');
          else expect(ids((await found).Items), condition).to.equal(expected);
        }
        expect(ids((await query(at('', {}, { ScanIndexForward: false }))).Items)).to.equal('dcba');
      });

      it('is read page by page, either way, and says what that costs', async () => {
        for (const [ScanIndexForward, expected] of [
          [true, 'abcd'],
          [false, 'dcba'],
        ] as const) {
          let found = '';
          let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
          do {
            const page = await query(
              at('', {}, { Limit: 1, ScanIndexForward, ReturnConsumedCapacity: 'TOTAL', ExclusiveStartKey }),
            );
            found += ids(page.Items);
            expect(page.ConsumedCapacity?.CapacityUnits).to.equal(0.5);
            ExclusiveStartKey = page.LastEvaluatedKey;
            if (ExclusiveStartKey !== undefined)
              expect(Object.keys(ExclusiveStartKey)).to.have.members([
                'id',
                ...KEYS.map((key) => key.AttributeName),
              ]);
          } while (ExclusiveStartKey !== undefined);
          expect(found).to.equal(expected);
        }
        const elsewhere = toItem({ id: 'f', tournament: 's24', region: 'eu', round: 1, bracket: 'upper' });
        const wrong = await rejection(query(at('', {}, { ExclusiveStartKey: elsewhere })));
        expect(wrong.message).to.match(/outside query boundaries/);
      });

      it('filters, projects and counts', async () => {
        const filter = {
          FilterExpression: 'score > :s AND #of.#day = :d',
          ExpressionAttributeNames: { '#of': 'of', '#day': 'day' },
          ExpressionAttributeValues: toItem({ ':s': 15, ':d': 'mon' }),
        };
        const filtered = await query(at('', {}, filter));
        expect([ids(filtered.Items), filtered.Count, filtered.ScannedCount]).to.deep.equal(['bcd', 3, 4]);
        const projected = await query(
          at(
            ' AND round = :n',
            { ':n': 1 },
            {
              ProjectionExpression: 'score, #of.#day',
              ExpressionAttributeNames: { '#of': 'of', '#day': 'day' },
            },
          ),
        );
        expect(projected.Items).to.deep.equal([toItem({ score: 10, of: { day: 'mon' } })]);
        const counted = await query(at('', {}, { Select: 'COUNT' }));
        expect([counted.Items, counted.Count]).to.deep.equal([undefined, 4]);
        const byKey = await rejection(
          query(
            at(
              '',
              {},
              { FilterExpression: 'bracket = :b', ExpressionAttributeValues: toItem({ ':b': 'x' }) },
            ),
          ),
        );
        expect(byKey.message).to.match(/can only contain non-primary key attributes.*bracket/);
      });

      it('is scanned, whole and in segments that share nothing', async () => {
        const scan = async (segment: { Segment?: number; TotalSegments?: number; Limit?: number }) => {
          let found = '';
          let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
          do {
            const input = { TableName, IndexName, ...segment, ExclusiveStartKey };
            const page = await client.send(new ScanCommand(input));
            found += ids(page.Items);
            ExclusiveStartKey = page.LastEvaluatedKey;
          } while (ExclusiveStartKey !== undefined);
          return found;
        };
        const sorted = (text: string): string => [...text].sort().join('');
        expect(sorted(await scan({}))).to.equal('abcdef');
        expect(sorted(await scan({ Limit: 2 }))).to.equal('abcdef');
        const segments = [0, 1, 2].map((Segment) => scan({ Segment, TotalSegments: 3, Limit: 1 }));
        expect(sorted((await Promise.all(segments)).join(''))).to.equal('abcdef');
      });

      it('holds what it projects', async () => {
        const { Items } = await client.send(
          new QueryCommand({ ...at(' AND round = :n', { ':n': 1 }), TableName, IndexName: 'keys-only' }),
        );
        const keys = { id: 'a', tournament: 'w24', region: 'eu', round: 1, bracket: 'upper' };
        expect(Items).to.deep.equal([toItem(keys)]);
        const elsewhere = new QueryCommand({
          ...at('', {}, { ProjectionExpression: 'score' }),
          TableName,
          IndexName: 'keys-only',
        });
        expect((await rejection(client.send(elsewhere))).message).to.match(/does not project/);
      });
    });

  it('has at most four attributes in each key', async () => {
    const names = ['k1', 'k2', 'k3', 'k4', 'k5'];
    const update = new UpdateTableCommand({
      TableName: 'matches',
      AttributeDefinitions: ['id', ...names].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'too-many',
            KeySchema: names.map((AttributeName) => ({ AttributeName, KeyType: 'HASH' })),
            Projection: { ProjectionType: 'ALL' },
          },
        },
      ],
    });
    expect((await rejection(client.send(update))).message).to.match(/at most 4 attributes/);
  });
});
