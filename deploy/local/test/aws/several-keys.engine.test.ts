import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DescribeTableCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTableCommand,
  type AttributeValue,
  type CreateTableCommandInput,
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
    // An inequality has to be the last condition.
    for (const round of ['round > :c', 'round BETWEEN :c AND :e', 'begins_with(round, :c)'])
      expect(await refused(`#t = :a AND #r = :b AND ${round} AND bracket = :d`), round).to.equal(
        'RANGE key attributes round must have equality conditions specified in the query because a condition is present on key attribute bracket',
      );
    expect(await refused('#t = :a AND begins_with(#r, :b)')).to.equal('Query key condition not supported');
    expect(await refused('#t = :a AND #r = :b AND round <> :c')).to.equal(
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

  describe('is refused', () => {
    type Keys = readonly (readonly [name: string, kind: 'HASH' | 'RANGE'])[];
    const elements = (keys: Keys) => keys.map(([AttributeName, KeyType]) => ({ AttributeName, KeyType }));
    const defined = (names: readonly string[]) =>
      [...new Set(names)].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const }));
    const index = (keys: Keys) => ({
      IndexName: 'refused',
      KeySchema: elements(keys),
      Projection: { ProjectionType: 'ALL' as const },
    });
    const five = (kind: 'HASH' | 'RANGE'): Keys => ['a', 'b', 'c', 'd', 'e'].map((name) => [name, kind]);
    const RULES: readonly (readonly [what: string, keys: Keys, message: string])[] = [
      [
        'with five HASH attributes',
        five('HASH'),
        'One or more parameter values were invalid: The KeySchema exceeds the maximum allowed number of HASH key attributes',
      ],
      [
        'with five RANGE attributes',
        [['h', 'HASH'], ...five('RANGE')],
        'One or more parameter values were invalid: The KeySchema exceeds the maximum allowed number of RANGE key attributes',
      ],
      [
        'with a HASH attribute after a RANGE attribute',
        [['a', 'HASH'], ['b', 'RANGE'], ['c', 'HASH']],
        'One or more parameter values were invalid: All HASH key attributes must precede RANGE key attributes in the KeySchema',
      ],
      [
        'without a HASH attribute',
        [['a', 'RANGE'], ['b', 'RANGE']],
        'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
      ],
      [
        'with an attribute twice',
        [['a', 'HASH'], ['b', 'HASH'], ['a', 'RANGE']],
        'The KeySchema contains multiple key attributes with the same name',
      ],
    ]; // oxfmt-ignore

    const created = (keys: Keys, names: readonly string[]) =>
      new CreateTableCommand({
        TableName: 'refused',
        AttributeDefinitions: defined(['id', ...names]),
        KeySchema: elements([['id', 'HASH']]),
        GlobalSecondaryIndexes: [index(keys)],
        BillingMode: 'PAY_PER_REQUEST',
      });
    const added = (keys: Keys, names: readonly string[]) =>
      new UpdateTableCommand({
        TableName: 'matches',
        AttributeDefinitions: defined(['id', ...names]),
        GlobalSecondaryIndexUpdates: [{ Create: index(keys) }],
      });
    for (const [what, keys, message] of RULES)
      it(`${what}, with its table or later`, async () => {
        const names = keys.map(([name]) => name);
        const create = await rejection(client.send(created(keys, names)));
        expect([create.name, create.message]).to.deep.equal(['ValidationException', message]);
        const update = await rejection(client.send(added(keys, names)));
        expect([update.name, update.message]).to.deep.equal(['ValidationException', message]);
      });

    it('where an attribute is not defined', async () => {
      const keys: Keys = [['a', 'HASH'], ['b', 'HASH'], ['c', 'RANGE']]; // oxfmt-ignore
      for (const command of [created(keys, ['a']), added(keys, ['a'])])
        expect((await rejection(client.send(command))).message).to.match(
          /^One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions\. Keys: \[b, c\]/,
        );
    });

    it('as the key of a table or of a local index, which have one attribute of each kind', async () => {
      const names = ['id', 'a', 'b'];
      const table = {
        TableName: 'refused',
        AttributeDefinitions: defined(names),
        BillingMode: 'PAY_PER_REQUEST' as const,
      };
      const own = elements([['id', 'HASH'], ['a', 'HASH'], ['b', 'RANGE']]); // oxfmt-ignore
      const local = index([['id', 'HASH'], ['a', 'RANGE'], ['b', 'RANGE']]); // oxfmt-ignore
      const refusedAt = async (input: CreateTableCommandInput, place: string) =>
        expect((await rejection(client.send(new CreateTableCommand(input)))).message).to.match(
          new RegExp(
            `^1 validation error detected: .* at '${place}' failed to satisfy constraint: Member must have length less than or equal to 2$`,
          ),
        );
      await refusedAt({ ...table, KeySchema: own }, 'keySchema');
      const KeySchema = elements([['id', 'HASH'], ['a', 'RANGE']]); // oxfmt-ignore
      await refusedAt(
        { ...table, KeySchema, LocalSecondaryIndexes: [local] },
        'localSecondaryIndexes.1.member.keySchema',
      );
    });
  });

  it('takes four attributes in each key, of any type, and is written to as its types ask', async () => {
    const keys = ['a', 'b', 'c', 'd'];
    const types = { b: 'N', c: 'B' } as const;
    await client.send(
      new CreateTableCommand({
        TableName: 'eight',
        AttributeDefinitions: ['id', ...keys, ...keys.map((name) => `${name}2`)].map((AttributeName) => ({
          AttributeName,
          AttributeType: types[AttributeName[0] as 'b' | 'c'] ?? 'S',
        })),
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'by-all',
            KeySchema: [
              ...keys.map((AttributeName) => ({ AttributeName, KeyType: 'HASH' as const })),
              ...keys.map((name) => ({ AttributeName: `${name}2`, KeyType: 'RANGE' as const })),
            ],
            Projection: { ProjectionType: 'KEYS_ONLY' },
          },
        ],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    const bytes = (...list: readonly number[]) => ({ B: Uint8Array.from(list) });
    const Item = {
      id: { S: 'x' }, a: { S: 'a' }, b: { N: '1' }, c: bytes(1), d: { S: 'd' },
      a2: { S: 'a' }, b2: { N: '10' }, c2: bytes(2), d2: { S: 'd' },
    }; // oxfmt-ignore
    await client.send(new PutItemCommand({ TableName: 'eight', Item }));
    await client.send(
      new PutItemCommand({ TableName: 'eight', Item: { ...Item, id: { S: 'y' }, b2: { N: '9' } } }),
    );
    const { Items } = await client.send(
      new QueryCommand({
        TableName: 'eight',
        IndexName: 'by-all',
        KeyConditionExpression: 'a = :a AND b = :b AND c = :c AND d = :d AND a2 = :a AND b2 > :b',
        ExpressionAttributeValues: { ':a': Item.a, ':b': Item.b, ':c': Item.c, ':d': Item.d },
      }),
    );
    // Numbers sort as numbers.
    expect(ids(Items)).to.equal('yx');
    for (const [name, value, message] of [
      ['b', { S: '1' }, 'Type mismatch for Index Key b Expected: N Actual: S IndexName: by-all'],
      ['c2', { S: 'x' }, 'Type mismatch for Index Key c2 Expected: B Actual: S IndexName: by-all'],
      ['d', { S: '' }, 'cannot contain an empty string value. IndexName: by-all, IndexKey: d'],
    ] as const) {
      const wrong = { ...Item, [name]: value };
      const update = {
        TableName: 'eight',
        Key: { id: Item.id },
        UpdateExpression: 'SET #n = :v',
        ExpressionAttributeNames: { '#n': name },
        ExpressionAttributeValues: { ':v': value },
      };
      for (const write of [
        client.send(new PutItemCommand({ TableName: 'eight', Item: wrong })),
        client.send(
          new BatchWriteItemCommand({ RequestItems: { eight: [{ PutRequest: { Item: wrong } }] } }),
        ),
        client.send(new TransactWriteItemsCommand({ TransactItems: [{ Update: update }] })),
        client.send(new UpdateItemCommand(update)),
      ])
        expect((await rejection(write)).message).to.contain(message);
    }
  });

  it('follows what its items become', async () => {
    const TableName = 'matches';
    const query = async (Limit?: number) => {
      const input = { ...at('', {}), TableName, IndexName: 'by-place', ...(Limit && { Limit }) };
      return ids((await client.send(new QueryCommand(input))).Items);
    };
    const Item = toItem({ id: 'z', tournament: 'w24', region: 'eu', round: 'r1' });
    await client.send(new PutItemCommand({ TableName, Item }));
    expect(await query()).to.equal('');
    const update = (UpdateExpression: string, values?: Record<string, AttributeValue>) =>
      client.send(
        new UpdateItemCommand({
          TableName,
          Key: toItem({ id: 'z' }),
          UpdateExpression,
          ...(values && { ExpressionAttributeValues: values }),
        }),
      );
    await update('SET bracket = :b', { ':b': { S: 'upper' } });
    expect(await query()).to.equal('z');
    await update('REMOVE bracket');
    expect(await query()).to.equal('');
  });
});
