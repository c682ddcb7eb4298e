/** Where an item belongs in an index, by the values that it has now. */
import { textOf, TypeCode, type ColumnBatch } from '../column-batch.ts';
import {
  ALL_KEYS,
  covers,
  intervalOf,
  pointOf,
  unionOf,
  type Intervals,
} from '../access-path/key-interval.ts';
import { compareKeyValues } from '../access-path/key-value.ts';
import type { KeyAttribute, KeySchema } from '../../catalog/table.ts';
import type { KeyRange, KeyValue } from '../table-read.ts';
import { keyPart } from './keyed-items.ts';

/** The values of an index's key attributes. */
export interface IndexPlace {
  readonly partition: KeyValue;
  /** Null where the index has no sort key. */
  readonly sort: KeyValue | null;
}

/** A row's place, by the batch's columns from `at` on; null where it belongs nowhere in the index. */
export function placeOfRow(
  batch: ColumnBatch,
  row: number,
  at: number,
  { partitionKey, sortKey }: KeySchema,
): IndexPlace | null {
  const partition = valueOf(batch, row, at, partitionKey);
  if (partition === null) return null;
  if (sortKey === null) return { partition, sort: null };
  const sort = valueOf(batch, row, at + 1, sortKey);
  return sort === null ? null : { partition, sort };
}

/** Null where the value is missing or has another type than the index was declared with. */
function valueOf(batch: ColumnBatch, row: number, at: number, { type }: KeyAttribute): KeyValue | null {
  const column = batch.columns[at];
  if (column?.types[row] !== TypeCode[type] || textOf(column, row) === null) return null;
  return keyPart(column, row, type);
}

/** Below 0, 0 or above 0: the order of places in the index. */
export function comparePlaces(a: IndexPlace, b: IndexPlace): number {
  const byPartition = compareKeyValues(a.partition, b.partition);
  if (byPartition !== 0 || a.sort === null || b.sort === null) return byPartition;
  return compareKeyValues(a.sort, b.sort);
}

/** Tells whether a place is within any of the ranges. */
export function withinRanges(ranges: readonly KeyRange[]): (place: IndexPlace) => boolean {
  const partitions = new Map<string, Intervals>();
  for (const [text, own] of Map.groupBy(ranges, ({ partition }) => partition.value)) {
    const isWhole = own.some(({ sort }) => sort === null);
    partitions.set(
      text,
      isWhole ? ALL_KEYS : unionOf(own.flatMap(({ sort }) => (sort === null ? [] : intervalOf(sort)))),
    );
  }
  return ({ partition, sort }) => {
    const intervals = partitions.get(partition.value);
    return intervals !== undefined && (sort === null || covers(intervals, pointOf(sort)));
  };
}
