import type { DatabaseSync } from 'node:sqlite';
import { INDEX_SIZE_SAMPLE_ENTRIES } from '../../limits.ts';
import { itemBytes } from './item-bytes.ts';
import type { Size, SizesOfTable } from './table-sizes.ts';

/**
 * Measures a table in dynoxide's SQLite file, where a table is a table with `item_size`, and an index one named
 * `<table>::gsi::<index>` or `<table>::lsi::<index>` with `item_json`. Throws where it is not so.
 */
export function measureTable(database: DatabaseSync, tableName: string): SizesOfTable {
  const own = database
    .prepare(`SELECT COUNT(*) AS count, COALESCE(SUM(item_size), 0) AS bytes FROM ${quoted(tableName)}`)
    .get();
  const indexes = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, ?) IN (?, ?)")
    .all(tableName.length + 7, `${tableName}::gsi::`, `${tableName}::lsi::`)
    .map(({ name }) => String(name));
  return {
    table: { itemCount: Number(own?.['count']), bytes: Number(own?.['bytes']) },
    indexes: Object.fromEntries(
      indexes.map((name) => [name.slice(tableName.length + 7), measureIndex(database, name)]),
    ),
  };
}

/** Index entries have no stored size: the sizes of a sample, in proportion to the text of all. */
function measureIndex(database: DatabaseSync, name: string): Size {
  const all = database
    .prepare(`SELECT COUNT(*) AS count, COALESCE(SUM(LENGTH(item_json)), 0) AS length FROM ${quoted(name)}`)
    .get();
  const itemCount = Number(all?.['count']);
  const step = Math.max(1, Math.floor(itemCount / INDEX_SIZE_SAMPLE_ENTRIES));
  let sampledBytes = 0;
  let sampledLength = 0;
  for (const { json } of database
    .prepare(`SELECT item_json AS json FROM ${quoted(name)} WHERE rowid % ? = 0`)
    .iterate(step)) {
    const text = String(json);
    sampledLength += text.length;
    sampledBytes += itemBytes(JSON.parse(text) as Readonly<Record<string, unknown>>);
  }
  const bytes =
    sampledLength === 0 ? 0 : Math.round((sampledBytes * Number(all?.['length'])) / sampledLength);
  return { itemCount, bytes };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
