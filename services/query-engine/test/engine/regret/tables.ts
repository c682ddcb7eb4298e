/** A large table, and small ones whose rows are the keys that it is read by. */
import type { CatalogTable } from '../../../src/catalog/table.ts';
import { engineTable, n, s } from '../shop.ts';
import type { EngineTable, TestItem } from '../engine-table.ts';
import { described, index, key, many, numbered, sized } from '../units/tables.ts';

const ENTRIES = 1200;
/** 1200 × 4000 / 8192, in pages of 1 MB that are each rounded up: what a scan of the entries costs. */
export const SCAN_UNITS = 586.5;

/** Each is half a unit by key, has a `ref` of its own, and is in one of 40 batches of 30: 15 units. */
export function entries(): EngineTable {
  const items = many(ENTRIES, (i) =>
    sized({ id: s(numbered('e', i)), ref: s(`r${i}`), batch: s(`b${i % 40}`), place: n(i) }, 4000),
  );
  return described(engineTable('entries', key('id'), items), [
    index('by-ref', key('ref')),
    index('by-batch', key('batch')),
  ]);
}

/** Twelve rows, half a unit: each names an entry. */
export function picks(): EngineTable {
  const items = many(12, (i): TestItem => ({ id: s(`p${i}`), ref: s(`r${i * 90}`), batch: s(`b${i * 3}`) }));
  return described(engineTable('picks', key('id'), items));
}

/** As many and as large, in two halves; the index that tells them apart, and their places, has nothing but keys. */
export function halves(): EngineTable {
  const items = many(ENTRIES, (i) =>
    sized({ id: s(numbered('h', i)), half: s(`h${i % 2}`), place: n(i) }, 4000),
  );
  return described(engineTable('halves', key('id'), items), [
    index('by-half', key('half', 'place:N'), { projection: 'KEYS_ONLY' }),
  ]);
}

/** The same table, of which no sample was taken: nothing is known but its keys and sizes. In the schema `fresh`. */
export function unsampled({ catalog }: EngineTable): CatalogTable {
  const attributes = catalog.attributes.map((attribute) => ({ ...attribute, distinctValues: 0 }));
  return { ...catalog, schemaName: 'fresh', attributes, sampledItems: 0 };
}
