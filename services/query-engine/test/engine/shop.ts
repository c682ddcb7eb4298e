/** A shop's tables: keys of all kinds, numbers of all sizes, attributes that come and go or change their type. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Attribute, AttributeType, CatalogTable, KeySchema } from '../../src/catalog/table.ts';
import type { EngineTable, TestItem } from './engine-table.ts';

/** What a sample of all items would say. */
function sampled(items: readonly TestItem[], key: KeySchema): readonly Attribute[] {
  const seen = new Map<string, Map<AttributeType, number>>();
  const shapes = new Map<string, { integerDigits: number; scale: number }>();
  for (const item of items) {
    for (const [name, value] of Object.entries(item)) {
      const [type] = Object.keys(value) as AttributeType[];
      if (type === undefined) continue;
      const counts = seen.get(name) ?? new Map<AttributeType, number>();
      counts.set(type, (counts.get(type) ?? 0) + 1);
      seen.set(name, counts);
      if ('N' in value && value.N !== undefined) {
        const [whole = '', fraction = ''] = value.N.replace('-', '').split('.');
        const shape = shapes.get(name) ?? { integerDigits: 1, scale: 0 };
        shapes.set(name, {
          integerDigits: Math.max(shape.integerDigits, whole.length),
          scale: Math.max(shape.scale, fraction.length),
        });
      }
    }
  }
  const keys = [key.partitionKey.name, key.sortKey?.name];
  const rank = (name: string): string => `${keys.includes(name) ? keys.indexOf(name) : 9}${name}`;
  return [...seen]
    .map(([name, types]) => ({
      name,
      types: Object.fromEntries(types),
      ...(shapes.get(name) ?? { integerDigits: 0, scale: 0 }),
      nested: [],
      distinctValues: 0,
    }))
    .sort((a, b) => (rank(a.name) < rank(b.name) ? -1 : 1));
}

export function engineTable(
  tableName: string,
  key: KeySchema,
  items: readonly TestItem[],
  itemBytes = 200,
): EngineTable {
  const catalog: CatalogTable = {
    version: '1',
    schemaName: 'shop',
    tableName,
    access: { roleArn: 'r', externalId: 'e', region: 'eu-west-1', tableAllowlist: [] },
    key,
    indexes: [],
    itemCount: items.length,
    sizeBytes: items.length * itemBytes,
    attributes: sampled(items, key),
    sampledItems: items.length,
    foundEmpty: items.length === 0,
  };
  return { catalog, items };
}

export const s = (value: string): AttributeValue => ({ S: value });
export const n = (value: number | string): AttributeValue => ({ N: String(value) });

const CUSTOMERS = ['ann', 'bob', 'cem', 'dee', 'eve'];

/** @param paddingBytes makes items that large, so that a scan costs more than a few keys */
export function customers(paddingBytes = 0): EngineTable {
  const items = CUSTOMERS.map((name, i): TestItem => ({
    id: s(`c${i}`),
    name: s(name),
    ...(i === 3 ? {} : { city: i % 2 === 0 ? s('Bern') : s('Oslo') }),
    address: { M: { street: s(`Street ${i}`), geo: { L: [n(i), n(`${i}.5`)] } } },
    tags: { SS: ['x', `t${i}`] },
    vip: { BOOL: i === 0 },
    unseen: n(i),
    ...(paddingBytes === 0 ? {} : { padding: s('x'.repeat(paddingBytes)) }),
  }));
  const table = engineTable(
    'customers',
    { partitionKey: { name: 'id', type: 'S' }, sortKey: null },
    items,
    paddingBytes + 200,
  );
  // As if the sample had missed it.
  const attributes = table.catalog.attributes.filter(({ name }) => name !== 'unseen');
  return { ...table, catalog: { ...table.catalog, attributes } };
}

/** @param paddingBytes makes items that large, so that a scan costs more than a partition */
export function orders(count = 60, paddingBytes = 0): EngineTable {
  const items = Array.from({ length: count }, (_, i): TestItem => ({
    customer: s(`c${i % 4}`),
    number: n(i),
    total: n((i * 1.25).toFixed(2).replace(/\.?0+$/, '')),
    status: s(['open', 'paid', 'sent'][i % 3] ?? 'open'),
    ...(i % 5 === 0 ? {} : { quantity: n(i % 7) }),
    // Numbers and the texts of numbers.
    code: i % 2 === 0 ? n(i) : s(String(i)),
    ...(i % 10 === 3 ? { note: { NULL: true } } : i % 10 === 4 ? { note: s(`note ${i}`) } : {}),
    placed: s(`2024-0${(i % 9) + 1}-15T10:00:00Z`),
    ...(paddingBytes === 0 ? {} : { padding: s('x'.repeat(paddingBytes)) }),
  }));
  return engineTable(
    'orders',
    { partitionKey: { name: 'customer', type: 'S' }, sortKey: { name: 'number', type: 'N' } },
    items,
    paddingBytes + 200,
  );
}

/** Numbers at the ends of what DynamoDB holds. */
export function numbers(): EngineTable {
  const values = [
    ['max', '9.9999999999999999999999999999999999999E+125'],
    ['digits', '12345678901234567890123456789012345678'],
    ['fraction', '0.00000000000000000000000000000000000001'],
    ['small', '7'],
  ] as const;
  const items = values.map(([id, value]): TestItem => ({
    id: s(id),
    value: n(value),
    ...(id === 'max' || id === 'fraction' ? {} : { whole: n(value) }),
  }));
  return engineTable('numbers', { partitionKey: { name: 'id', type: 'S' }, sortKey: null }, items);
}
