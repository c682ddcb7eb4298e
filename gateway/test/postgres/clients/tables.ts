/** Tables that clients read: of every type that an attribute has, so that each wire type and each format is met. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  createTable,
  putItems,
  type CustomerAccount,
} from '../../../../deploy/local/src/seed/customer-account.ts';

type Item = Record<string, AttributeValue>;

export const EVENTS = 2_500;

/** 38 digits, the most that a number of DynamoDB has, and exponents at its ends. */
export const NUMBERS = Object.freeze([
  ...[
    '0',
    '-1',
    '10.50',
    '12345678901234567890123456789012345678',
    '0.00000000000000000000000000000000000001',
  ],
  ...['-99999999999999999999.999999999999999999', '1E+30', '1.5E-20', '9007199254740993'],
]);

const thing = (id: string, attributes: Item): Item => ({ id: { S: id }, ...attributes });

const THINGS: readonly Item[] = [
  ...NUMBERS.map((value, i) => thing(`n${i}`, { amount: { N: value } })),
  thing('full', {
    amount: { N: '7' },
    name: { S: 'Grüße, 世界 😀 "quoted" \\back\\ \t tab' },
    paid: { BOOL: true },
    raw: { B: Uint8Array.of(0, 1, 127, 128, 255) },
    address: { M: { zip: { S: '1000' }, floor: { N: '3' } } },
    tags: { L: [{ S: 'a' }, { N: '1.50' }, { NULL: true }] },
    labels: { SS: ['x', 'y'] },
    day: { S: '2024-02-29' },
    at: { S: '2024-02-29T23:59:59.123456Z' },
    mixed: { S: 'text' },
  }),
  thing('empty', { name: { S: '' }, paid: { BOOL: false }, raw: { B: Uint8Array.of() }, mixed: { N: '3' } }),
  thing('nulls', { name: { NULL: true }, amount: { NULL: true } }),
];

/** A table with a sort key and an index, whose rows take several fetches. */
const EVENT_ITEMS: readonly Item[] = Array.from({ length: EVENTS }, (_, i) => ({
  device: { S: `d${i % 5}` },
  tick: { N: String(i) },
  level: { S: ['low', 'high'][i % 2] ?? '' },
  reading: { N: `${i}.${String(i % 100).padStart(2, '0')}` },
}));

export async function seedClientTables(account: CustomerAccount): Promise<void> {
  await createTable(account, {
    TableName: 'things',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  });
  await createTable(account, {
    TableName: 'events',
    KeySchema: [
      { AttributeName: 'device', KeyType: 'HASH' },
      { AttributeName: 'tick', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'device', AttributeType: 'S' },
      { AttributeName: 'tick', AttributeType: 'N' },
      { AttributeName: 'level', AttributeType: 'S' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-level',
        KeySchema: [
          { AttributeName: 'level', KeyType: 'HASH' },
          { AttributeName: 'tick', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  });
  await putItems(account, 'things', THINGS);
  await putItems(account, 'events', EVENT_ITEMS);
}
