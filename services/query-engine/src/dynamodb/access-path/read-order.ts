import type { KeySchema } from '../../catalog/table.ts';
import type { TableScan } from '../../logical/plan.ts';
import { attributeOf } from './condition.ts';

/** What is known of the rows that a path returns in key order. */
export interface KeyOrder {
  readonly key: KeySchema;
  /** All rows have the same partition key. */
  readonly onePartition: boolean;
  /** Whether several partitions may be read side by side, and merged by their sort keys. */
  readonly mergeable: boolean;
  /** No two rows have the same key: true for the table, not for an index. */
  readonly unique: boolean;
}

export interface Direction {
  readonly descending: boolean;
  readonly merged: boolean;
}

/**
 * The direction in which to read so that rows come as wanted; null when key order cannot give it. Columns wanted after a
 * unique key change nothing. Keys are never NULL, and text keys sort by UTF-8 bytes as ours do.
 */
export function directionFor(
  wanted: TableScan['orderHint'],
  { key, onePartition, mergeable, unique }: KeyOrder,
): Direction | null {
  const names = wanted.map(({ column, descending }) => ({ name: attributeOf(column), descending }));
  const left = names.filter(({ name }) => !(onePartition && name === key.partitionKey.name));
  const descending = left[0]?.descending ?? false;
  const merged = !onePartition && mergeable && left[0]?.name === key.sortKey?.name && left.length > 0;
  const partition = onePartition ? [] : [key.partitionKey.name];
  const sort = key.sortKey === null ? [] : [key.sortKey.name];
  const ordering = merged ? [...sort, ...partition] : [...partition, ...sort];
  for (const [i, entry] of left.entries()) {
    if (i >= ordering.length) return unique ? { descending, merged } : null;
    if (entry.name !== ordering[i] || entry.descending !== descending) return null;
  }
  return { descending, merged };
}
