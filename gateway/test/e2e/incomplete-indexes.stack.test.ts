/** Global indexes that lack items although their attribute is there, and such that no query may be read by yet. */
import {
  UpdateTableCommand,
  type AttributeValue,
  type KeySchemaElement,
  type ProjectionType,
} from '@aws-sdk/client-dynamodb';
import { toItem } from '@penstock/common/store/item.ts';
import { expect } from 'chai';
import {
  createTable,
  putItems,
  type CustomerAccount,
} from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { everyOther, IS_LONG, SEED } from '../../../services/common/test/support/random-budget.ts';
import { clearRequests, requestsOf } from './support/request-log.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from './support/stack.ts';
import { newAccount, newTenant, registerSchema, type TestTenant } from './support/tenant.ts';

type Item = Record<string, AttributeValue>;

/** What a table of a few items may hold: the sample that the registry takes is all of it. */
const FEW = 120;
/** More than a sample has: what is not met in it is taken not to be there. */
const MANY = 900;

/** Of every third item each: a number and text, of the other type, and what no key can be. */
function itemOf(i: number, isClean: boolean): Item {
  const odd = !isClean && i % 3 === 0;
  const points: readonly AttributeValue[] = [{ S: '07' }, { S: '' }, { S: 'seven' }, { BOOL: true }];
  const labels: readonly AttributeValue[] = [
    { N: '7' },
    { S: '' },
    { S: `b${'x'.repeat(2048)}` },
    { NULL: true },
  ];
  return {
    id: { S: `i${String(i).padStart(4, '0')}` },
    points: odd ? points[(i / 3) % 4]! : { N: String(i % 10) },
    label: odd ? labels[(i / 3) % 4]! : { S: `${'abc'.charAt(i % 3)}${i % 7}` },
    padding: { S: 'p'.repeat(700) },
  };
}

const CONDITIONS = [
  'points = 7',
  "points = '07'",
  'points IN (7, 8)',
  'points > 5',
  'points BETWEEN 2 AND 7',
  'points <> 3',
  'points IS NOT NULL',
  'points IS NULL',
  "label = 'b1'",
  'label = 7',
  "label = '7'",
  "label = ''",
  "label IN ('b1', 'c2')",
  "label >= 'b'",
  "label < 'b'",
  "label LIKE 'b%'",
  "label LIKE 'bx%'",
  "label <> 'b1'",
  'label IS NOT NULL',
  'LENGTH(label) > 100',
  "points = 7 AND label = 'b1'",
  "points = 7 OR label = 'b1'",
];

/** What an index of keys has, and what it lacks. A run takes one of them for each condition. */
const COLUMNS = ['id', 'id, label, points'];

describe('indexes that lack items', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;

  async function addIndex(
    tableName: string,
    indexName: string,
    keys: readonly (readonly [name: string, type: 'S' | 'N', kind: 'HASH' | 'RANGE'])[],
    projection: ProjectionType,
  ): Promise<void> {
    await account.dynamodb.send(
      new UpdateTableCommand({
        TableName: tableName,
        AttributeDefinitions: [
          { AttributeName: 'id', AttributeType: 'S' },
          ...keys.map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
        ],
        GlobalSecondaryIndexUpdates: [
          {
            Create: {
              IndexName: indexName,
              KeySchema: keys.map(([AttributeName, , KeyType]): KeySchemaElement => ({
                AttributeName,
                KeyType,
              })),
              Projection: { ProjectionType: projection },
            },
          },
        ],
      }),
    );
  }
  async function newTable(tableName: string, items: readonly Item[]): Promise<void> {
    await createTable(account, {
      TableName: tableName,
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    });
    await putItems(account, tableName, items);
  }
  const rowsOf = async (sql: string, options: Record<string, unknown> = {}) => {
    const answer = await tenant.query(sql, { maxRows: 10_000, ...options });
    expect(answer.body.success, `${sql}: ${answer.text}`).to.equal(true);
    return answer.body.data!.data;
  };
  /** The rows, and by which indexes they were read. */
  async function read(sql: string) {
    await clearRequests(stack, account);
    const rows = await rowsOf(sql);
    const requests = await requestsOf(stack, account);
    return { rows, indexes: new Set(requests.flatMap(({ indexName }) => indexName ?? [])) };
  }

  before(async () => {
    stack = await sharedStack();
    tenant = await newTenant(stack);
    account = newAccount(stack);
    await registerSchema(stack, tenant, account, { schemaName: 'games' });
  });
  after(() => account?.close());

  const TABLES = [
    ['few_clean', FEW, true],
    ['many', MANY, false],
    ['many_clean', MANY, true],
    ['few', FEW, false],
  ] as const;
  for (const [name, count, isClean] of [...everyOther(TABLES.slice(0, 2)), ...everyOther(TABLES.slice(2))]) {
    const what = isClean ? 'lack none are used, and give' : 'were made over other values still give';
    it(`that ${what} every row that the table has (${count} items)`, async () => {
      await newTable(
        name,
        Array.from({ length: count }, (_, i) => itemOf(i, isClean)),
      );
      await addIndex(name, 'by_points', [['points', 'N', 'HASH']], 'ALL');
      await addIndex(name, 'by_label', [['label', 'S', 'HASH']], 'KEYS_ONLY');
      await addIndex(
        name,
        'by_both',
        [
          ['label', 'S', 'HASH'],
          ['points', 'N', 'RANGE'],
        ],
        'ALL',
      );
      const used = new Set<string>();
      for (const [i, condition] of CONDITIONS.entries())
        for (const columns of IS_LONG ? COLUMNS : [COLUMNS[((i >> 1) + SEED) % COLUMNS.length]]) {
          const sql = `SELECT ${columns} FROM games.${name} WHERE ${condition} ORDER BY id`;
          const { rows, indexes } = await read(sql);
          // No global index is read consistently.
          expect(rows, sql).to.deep.equal(await rowsOf(sql, { consistentRead: true }));
          for (const index of indexes) used.add(index);
        }
      if (isClean) expect([...used]).to.include.members(['by_points', 'by_label', 'by_both']);
      // What they lack is missed by them, not merely unasked for.
      const seven = await rowsOf(`SELECT count(*) FROM games.${name} WHERE points = 7`);
      const numbers = Array.from({ length: count }, (_, i) => itemOf(i, isClean)).filter(({ points }) =>
        ['7', '07'].includes(points?.N ?? points?.S ?? ''),
      );
      expect(seven).to.deep.equal([[numbers.length]]);
      // An index by its name is what it holds, whatever it lacks.
      const held = Array.from({ length: count }, (_, i) => itemOf(i, isClean)).filter(
        ({ points }) => points?.N === '7',
      );
      for (const sql of [
        `SELECT count(*) FROM games.${name}.by_points WHERE points = 7`,
        `SELECT count(*) FROM games.${name}.by_points WHERE points + 0 = 7`,
      ])
        expect(await rowsOf(sql), sql).to.deep.equal([[held.length]]);
    });
  }

  it('an index of several key attributes gives every row that the table has, however it was made', async () => {
    const keys = [
      ['cup', 'S', 'HASH'],
      ['region', 'S', 'HASH'],
      ['round', 'N', 'RANGE'],
      ['bracket', 'S', 'RANGE'],
    ] as const;
    const matches = Array.from({ length: 300 }, (_, i) =>
      toItem({
        id: `m${String(i).padStart(3, '0')}`,
        cup: `c${i % 3}`,
        region: i % 5 === 0 ? undefined : `r${i % 2}`,
        round: i % 4,
        bracket: i % 7 === 0 ? undefined : 'upper',
        padding: 'p'.repeat(500),
      }),
    );
    const definitions = [
      { AttributeName: 'id', AttributeType: 'S' as const },
      ...keys.map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    ];
    await createTable(account, {
      TableName: 'made_before',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: definitions,
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by_place',
          KeySchema: keys.map(([AttributeName, , KeyType]) => ({ AttributeName, KeyType })),
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    });
    await putItems(account, 'made_before', matches);
    await newTable('made_after', matches);
    await addIndex('made_after', 'by_place', keys, 'ALL');
    for (const name of ['made_before', 'made_after'])
      for (const [condition, expected, isServed] of [
        ["cup = 'c1' AND region = 'r1'", (i: number) => i % 3 === 1 && i % 5 !== 0 && i % 2 === 1, false],
        ["cup = 'c1' AND region = 'r1' AND round = 3", (i: number) => i % 12 === 7 && i % 5 !== 0, false],
        [
          "cup = 'c1' AND region = 'r1' AND round = 3 AND bracket = 'upper'",
          (i: number) => i % 12 === 7 && i % 5 !== 0 && i % 7 !== 0,
          true,
        ],
        [
          "cup = 'c1' AND region IN ('r0', 'r1') AND round > 1 AND bracket LIKE 'up%'",
          (i: number) => i % 3 === 1 && i % 5 !== 0 && i % 4 > 1 && i % 7 !== 0,
          true,
        ],
        ["cup = 'c1'", (i: number) => i % 3 === 1, false],
        ["bracket = 'upper' AND round > 2", (i: number) => i % 7 !== 0 && i % 4 === 3, false],
        ['cup IS NOT NULL', () => true, false],
      ] as const) {
        const sql = `SELECT id FROM games.${name} WHERE ${condition} ORDER BY id`;
        const { rows, indexes } = await read(sql);
        const ids = matches.flatMap(({ id }, i) => (expected(i) ? [[id?.S]] : []));
        expect(rows, sql).to.deep.equal(ids);
        expect([...indexes], sql).to.deep.equal(isServed ? ['by_place'] : []);
      }
  });
});
