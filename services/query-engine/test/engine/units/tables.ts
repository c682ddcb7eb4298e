/** Tables whose items have sizes that are easy to reckon with. Sizes: DynamoDB guide, "Item sizes and formats". */
import {
  indexKeyNames,
  queryKey,
  type IndexKey,
  type KeySchema,
  type SecondaryIndex,
} from '../../../src/catalog/table.ts';
import { engineTable, n, s } from '../shop.ts';
import type { EngineTable, TestItem } from '../engine-table.ts';

/** Name and value of each attribute: texts in bytes, whole numbers a byte and one for two significant digits. */
function bytesOf(item: TestItem): number {
  return Object.entries(item).reduce((sum, [name, value]) => {
    const digits = (value.N ?? '').replace(/^0+|0+$/g, '').length;
    return sum + name.length + (value.S?.length ?? 1 + Math.ceil(digits / 2));
  }, 0);
}

/** The item, filled up to exactly so many bytes. */
export function sized(item: TestItem, bytes: number): TestItem {
  return { ...item, pad: s('x'.repeat(bytes - bytesOf(item) - 'pad'.length)) };
}

function attribute(text: string) {
  const [name = '', type = 'S'] = text.split(':');
  return { name, type: type as 'S' | 'N' };
}

export function key(partition: string, sort: string | null = null): KeySchema {
  return { partitionKey: attribute(partition), sortKey: sort === null ? null : attribute(sort) };
}

/** Of an index whose keys have several attributes. */
export function keys(partition: readonly string[], sort: readonly string[] = []): IndexKey {
  return { partitionKeys: partition.map(attribute), sortKeys: sort.map(attribute) };
}

type IndexOptions = Partial<Pick<SecondaryIndex, 'global' | 'projection' | 'nonKeyAttributes'>>;

export function index(
  name: string,
  on: KeySchema | IndexKey,
  { global = true, projection = 'ALL', nonKeyAttributes = [] }: IndexOptions = {},
) {
  const indexKey = 'partitionKeys' in on ? on : queryKey({ key: on }, null);
  return { name, global, key: indexKey, projection, nonKeyAttributes };
}

/** The sizes as DescribeTable would give them. */
export function described(
  table: EngineTable,
  indexes: readonly ReturnType<typeof index>[] = [],
): EngineTable {
  const { catalog, items } = table;
  const sizeBytes = items.reduce((sum, item) => sum + bytesOf(item), 0);
  const tableKeys = [catalog.key.partitionKey.name, catalog.key.sortKey?.name];
  const withSizes = indexes.map((one): SecondaryIndex => {
    const names = indexKeyNames(one.key);
    const kept = [...names, ...tableKeys, ...one.nonKeyAttributes];
    const entries = items
      .filter((item) => names.every((name) => name in item))
      .map((item) =>
        one.projection === 'ALL'
          ? item
          : Object.fromEntries(Object.entries(item).filter(([name]) => kept.includes(name))),
      );
    return {
      ...one,
      // Made with its table, so DynamoDB has refused every item that it could lack.
      coverage: 'complete',
      itemCount: entries.length,
      sizeBytes: entries.reduce((sum, entry) => sum + bytesOf(entry), 0),
    };
  });
  const attributes = catalog.attributes.map((attribute) => ({
    ...attribute,
    distinctValues: new Set(items.map((item) => JSON.stringify(item[attribute.name]))).size,
  }));
  return { items, catalog: { ...catalog, sizeBytes, indexes: withSizes, attributes } };
}

export const numbered = (letter: string, i: number): string => `${letter}${String(i).padStart(3, '0')}`;
export const many = (count: number, item: (i: number) => TestItem): readonly TestItem[] =>
  Array.from({ length: count }, (_, i) => item(i));

/** 200 items of 1 KB: a scan reads 200 KB, 50 steps of 4 KB, 25 units. */
function users(): EngineTable {
  const items = many(200, (i) =>
    sized(
      { id: s(numbered('u', i)), name: s(`name ${i}`), city: s(['Bern', 'Oslo'][i % 2] ?? ''), age: n(i) },
      1024,
    ),
  );
  return described(engineTable('users', key('id'), items));
}

export const DOC_BYTES = Object.freeze({
  d1: 1000,
  d4: 4096,
  d5: 4097,
  d10: 10_000,
  d40: 40_000,
  d400: 400_000,
});

function docs(): EngineTable {
  const items = Object.entries(DOC_BYTES).map(([id, bytes]) =>
    sized({ id: s(id), title: s(`title ${id}`) }, bytes),
  );
  return described(engineTable('docs', key('id'), items));
}

/**
 * 8 devices with 100 events of 512 B: a partition has 50 KB, 12.5 steps, 6.5 units; a scan 400 KB, 50 units. Every
 * fourth event has no level, so 75 of a device are in by-level.
 */
function events(): EngineTable {
  const items = many(800, (i) => {
    const tick = i % 100;
    const level: TestItem = tick % 4 === 0 ? {} : { level: n(tick % 10) };
    return sized(
      {
        device: s(`d${Math.floor(i / 100)}`),
        tick: n(tick),
        kind: s(`k${tick % 4}`),
        size: n(tick),
        ...level,
      },
      512,
    );
  });
  return described(engineTable('events', key('device', 'tick:N'), items), [
    index('by-level', key('device', 'level:N'), { global: false }),
    index('by-kind', key('device', 'kind'), { global: false, projection: 'KEYS_ONLY' }),
  ]);
}

/** 4 days with 60 lines of 1000 B, ten in each of six hours: a day 60,000 B, 14.6 steps, 7.5 units; an hour 2.4 steps, 1.5 units. */
function logs(): EngineTable {
  const items = many(240, (i) => {
    const line = i % 60;
    const time = `0${Math.floor(line / 10)}:0${line % 10}`;
    return sized({ day: s('abcd'[Math.floor(i / 60)] ?? ''), time: s(time), text: s(`line ${line}`) }, 1000);
  });
  return described(engineTable('logs', key('day', 'time'), items));
}

/** 200 items of 1 KB, 25 units; 10 an owner, 20 a customer, 40 a region, four with a flag. */
function tickets(): EngineTable {
  const items = many(200, (i) =>
    sized(
      {
        id: s(numbered('t', i)),
        owner: s(`o${i % 20}`),
        customer: s(`c${i % 10}`),
        region: s(`r${i % 5}`),
        title: s(`ticket ${i}`),
        status: s(i % 2 === 0 ? 'open' : 'done'),
        rank: n(i),
        ...(i < 4 ? { flag: s('y') } : {}),
      },
      1024,
    ),
  );
  return described(engineTable('tickets', key('id'), items), [
    index('by-owner', key('owner')),
    index('by-customer', key('customer'), { projection: 'KEYS_ONLY' }),
    index('by-region', key('region'), { projection: 'INCLUDE', nonKeyAttributes: ['title'] }),
    index('by-flag', key('flag')),
    index('by-status', key('status', 'rank:N')),
  ]);
}

/** 300 items of 8 KB: 2.4 MB, 128 items a page of 1 MB, three pages, 300 units. */
function wide(): EngineTable {
  return described(
    engineTable(
      'wide',
      key('id'),
      many(300, (i) => sized({ id: s(numbered('w', i)), part: n(i % 3) }, 8192)),
    ),
  );
}

/** Number keys. 50 items of 100 B: 5000 B, 1.2 steps, 1 unit. */
function counters(): EngineTable {
  return described(
    engineTable(
      'counters',
      key('id:N'),
      many(50, (i) => sized({ id: n(i), value: n(i) }, 100)),
    ),
  );
}

export function unitTables(): readonly EngineTable[] {
  return [users(), docs(), events(), logs(), tickets(), wide(), counters()];
}
