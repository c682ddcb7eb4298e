/** A table as the clairvoyant knows it: the entries of the table and of each index, by partition and in order. */
import { itemBytes } from '../../../../../../../deploy/local/src/aws/dynamodb/sizes/item-bytes.ts';
import {
  indexKeyNames,
  keyNames,
  queryKey,
  type KeySchema,
  type SecondaryIndex,
} from '../../../../../src/catalog/table.ts';
import type { EngineTable, TestItem } from '../../../engine-table.ts';
import { compare, valueOf } from '../query.ts';

/** An item in the table, or its entry in an index; `bytes`: of what is stored there. */
export interface Entry {
  readonly item: TestItem;
  readonly bytes: number;
}

/** The table, or an index of it. */
export interface Source {
  /** Null: the table. */
  readonly index: string | null;
  readonly partitionKey: string;
  readonly sortKey: string | null;
  /** As a Scan gives them. */
  readonly all: readonly Entry[];
  /** By value of the partition key; in the order of the sort key. */
  readonly partitions: ReadonlyMap<string | number, readonly Entry[]>;
  /** Items that are there. */
  readonly items: ReadonlySet<TestItem>;
  /** Whether it may lack items that have its keys, of another type than the index's. */
  readonly mayLackTypes: boolean;
  /** The attributes that it holds; null: all. */
  readonly attributes: ReadonlySet<string> | null;
}

export interface TableData {
  readonly name: string;
  readonly table: Source;
  readonly indexes: readonly Source[];
  readonly bytesOf: ReadonlyMap<TestItem, number>;
}

function sourceOf(items: readonly TestItem[], tableKey: KeySchema, index: SecondaryIndex | null): Source {
  const key = queryKey({ key: tableKey }, index);
  // Of the workload's tables, no key has several attributes.
  const partitionKey = key.partitionKeys[0]!;
  const sortKey = key.sortKeys[0] ?? null;
  const names = indexKeyNames(key);
  const attributes =
    index === null || index.projection === 'ALL'
      ? null
      : new Set([...names, ...keyNames(tableKey), ...index.nonKeyAttributes]);
  const stored = (item: TestItem): TestItem =>
    attributes === null
      ? item
      : Object.fromEntries(Object.entries(item).filter(([name]) => attributes.has(name)));
  const all = items
    .filter((item) => names.every((name) => name in item))
    .map((item): Entry => ({ item, bytes: itemBytes(stored(item)) }));
  const partitions = Map.groupBy(all, ({ item }) => valueOf(item, partitionKey.name)!);
  if (sortKey !== null)
    for (const entries of partitions.values())
      entries.sort((a, b) => compare(valueOf(a.item, sortKey.name)!, valueOf(b.item, sortKey.name)!));
  return {
    index: index?.name ?? null,
    partitionKey: partitionKey.name,
    sortKey: sortKey?.name ?? null,
    all,
    partitions,
    mayLackTypes: index !== null && index.global && index.coverage !== 'complete',
    items: new Set(all.map(({ item }) => item)),
    attributes,
  };
}

/** @param items as a Scan gives them */
export function tableData({ catalog }: EngineTable, items: readonly TestItem[]): TableData {
  const table = sourceOf(items, catalog.key, null);
  return {
    name: catalog.tableName,
    table,
    indexes: catalog.indexes.map((index) => sourceOf(items, catalog.key, index)),
    bytesOf: new Map(table.all.map(({ item, bytes }) => [item, bytes])),
  };
}
