/** Tables to walk over: keys of all types, indexes that hold all and hardly anything, values whose type changes late. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { index, keySchema } from '../../dynamodb/fixtures.ts';
import { engineTable, n, s } from '../../engine/shop.ts';
import type { EngineTable, TestItem } from '../../engine/engine-table.ts';

const COUNT = 1_200;
const OWNERS = 29;

function partOf(i: number): TestItem {
  const amount: AttributeValue = i === COUNT - 7 ? s('late') : i % 11 === 0 ? n(`${i}.25`) : n(i);
  return {
    p: s(`p${i % 13}`),
    k: n(i % 4 === 0 ? -i : i / 2),
    kind: s(['bolt', 'nut', 'gear'][i % 3] ?? ''),
    rank: n((i * 37) % 101),
    owner: s(`o${i % OWNERS}`),
    amount,
    filler: s('x'.repeat(i % 90)),
    ...(i % 5 === 0 ? {} : { note: s(`"${i}", Ünïcode`) }),
    ...(i % 17 === 0 ? { box: { M: { side: n(i), tags: { L: [s('a'), n(i)] } } } } : {}),
  };
}

/** 1,200 items in 13 partitions. */
export function parts(): EngineTable {
  const made = engineTable(
    'parts',
    keySchema('p:S, k:N'),
    Array.from({ length: COUNT }, (_, i) => partOf(i)),
    250,
  );
  const sizes = { itemCount: COUNT, sizeBytes: COUNT * 250 };
  const indexes = [
    index('by_kind', 'kind:S, rank:N', sizes),
    index('by_owner', 'owner:S, rank:N', { ...sizes, projection: 'KEYS_ONLY', sizeBytes: COUNT * 60 }),
    index('by_rank', 'p:S, rank:N', { ...sizes, global: false }),
  ];
  return { ...made, catalog: { ...made.catalog, indexes } };
}

/** The same items, each two kilobytes longer: a scan of them costs more than to look some up. */
export function stock(): EngineTable {
  const { catalog, items } = parts();
  const bytes = 2_250;
  // Few items of an owner: looking them up by an index of keys is known to cost less, also of a page.
  const distinct = { low: OWNERS, estimate: OWNERS, high: OWNERS };
  const attributes = catalog.attributes.map((one) =>
    one.name === 'owner' ? { ...one, distinctValues: OWNERS, distinct } : one,
  );
  return {
    catalog: { ...catalog, tableName: 'stock', sizeBytes: COUNT * bytes, attributes },
    items: items.map((item) => ({ ...item, padding: s('z'.repeat(bytes - 250)) })),
  };
}

/** Items by a binary key alone. */
export function blobs(): EngineTable {
  const items = Array.from({ length: 300 }, (_, i) => ({
    id: { B: Buffer.from(`key ${i}`) },
    size: n(`${i}.50`),
  }));
  return engineTable('blobs', keySchema('id:B'), items, 80);
}

/** 10,000 items of 400 bytes, of which every other one is even. */
export const WIDE = Object.freeze({ count: 10_000, bytes: 400 });
export function wide(): EngineTable {
  const items = Array.from({ length: WIDE.count }, (_, i) => {
    const item = { id: s(`i${String(i).padStart(6, '0')}`), at: n(i), even: n(i % 2 === 0 ? 1 : 0) };
    const used = 2 + 7 + 2 + 4 + 4 + 2 + 6;
    return { ...item, filler: s('y'.repeat(WIDE.bytes - used)) };
  });
  return engineTable('wide', keySchema('id:S'), items, WIDE.bytes);
}
