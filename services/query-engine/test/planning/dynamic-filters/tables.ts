/** Tables that refer to each other by keys of all kinds, with items so large that scanning them costs something. */
import type { SecondaryIndex } from '../../../src/catalog/table.ts';
import { engineTable, n, s } from '../../engine/shop.ts';
import type { EngineTable, TestItem } from '../../engine/engine-table.ts';

export const ACCOUNTS = 40;
export const ORDERS = 120;
export const PRODUCTS = 30;
export const TAGS = 24;
/** With the padding an item is of 2 to 4 KB: half a unit by key, about a quarter or more in a scan. */
const padding = s('x'.repeat(2200));
const ITEM_BYTES = 2300;

const CITIES = ['Bern', 'Oslo', 'Rome', 'Lima', 'Kyiv'];

/** `id` S. `boss`: another's id, missing here and NULL there. `favorite`: a product as a text. */
export function accounts(count = ACCOUNTS): EngineTable {
  const items = Array.from({ length: count }, (_, i): TestItem => ({
    id: s(`a${i}`),
    name: s(`name ${i % 7}`),
    city: s(CITIES[i % 5] ?? ''),
    ...(i % 4 === 0 ? {} : i % 9 === 1 ? { boss: { NULL: true } } : { boss: s(`a${(i * 3) % (count + 5)}`) }),
    ...(i % 3 === 0 ? {} : { favorite: s(i % 2 === 0 ? String(i % 12) : `0${i % 8}`) }),
    padding,
  }));
  return engineTable(
    'accounts',
    { partitionKey: { name: 'id', type: 'S' }, sortKey: null },
    items,
    ITEM_BYTES,
  );
}

/** `account` S, `n` N. `product`: N, missing in some. `tag`: numbers and texts. */
export function orders(count = ORDERS): EngineTable {
  const items = Array.from({ length: count }, (_, i): TestItem => ({
    account: s(`a${(i * 7) % 25}`),
    n: n(i),
    ...(i % 6 === 0 ? {} : { product: n(i % 37) }),
    ...(i % 5 === 0 ? {} : { tag: i % 2 === 0 ? n(i % 9) : s(i % 3 === 0 ? `t${i % 9}` : String(i % 9)) }),
    status: s(['open', 'paid', 'sent'][i % 3] ?? ''),
    padding,
  }));
  const table = engineTable(
    'orders',
    { partitionKey: { name: 'account', type: 'S' }, sortKey: { name: 'n', type: 'N' } },
    items,
    ITEM_BYTES,
  );
  const byProduct: SecondaryIndex = {
    name: 'by_product',
    global: true,
    key: { partitionKeys: [{ name: 'product', type: 'N' }], sortKeys: [] },
    projection: 'ALL',
    nonKeyAttributes: [],
    coverage: 'complete',
    itemCount: items.filter(({ product }) => product !== undefined).length,
    sizeBytes: items.filter(({ product }) => product !== undefined).length * ITEM_BYTES,
  };
  return { ...table, catalog: { ...table.catalog, indexes: [byProduct] } };
}

/** `id` N, some of them fractions. `tag`: a text. */
export function products(count = PRODUCTS): EngineTable {
  const items = Array.from({ length: count }, (_, i): TestItem => ({
    id: n(i % 10 === 9 ? `${i}.5` : i),
    maker: s(`m${i % 4}`),
    ...(i % 4 === 2 ? {} : { tag: s(i % 3 === 0 ? `t${i % 9}` : String(i % 12)) }),
    price: n(i * 3),
    padding,
  }));
  return engineTable(
    'products',
    { partitionKey: { name: 'id', type: 'N' }, sortKey: null },
    items,
    ITEM_BYTES,
  );
}

/** `name` S: words, and texts that are numbers in several spellings. */
export function tags(count = TAGS): EngineTable {
  const items = Array.from({ length: count }, (_, i): TestItem => ({
    name: s(i < 9 ? `t${i}` : i < 18 ? String(i - 9) : `0${i - 18}`),
    ...(i % 4 === 0 ? {} : { weight: n(i % 6) }),
    padding,
  }));
  return engineTable('tags', { partitionKey: { name: 'name', type: 'S' }, sortKey: null }, items, ITEM_BYTES);
}

export function lookupTables(): readonly EngineTable[] {
  return [accounts(), orders(), products(), tags()];
}
