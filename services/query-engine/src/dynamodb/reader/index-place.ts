/** Where an item belongs in an index, by the values that it has now. */
import { textOf, TypeCode, type ColumnBatch } from '../column-batch.ts';
import { ALL_KEYS, covers, pointOf, unionOf, type Intervals } from '../access-path/key-interval.ts';
import { compareTuples, tupleText } from '../access-path/key-value.ts';
import { intervalOf } from '../access-path/sort-range.ts';
import type { IndexKey, KeyAttribute } from '../../catalog/table.ts';
import type { KeyRange, KeyValue } from '../table-read.ts';
import { keyPart } from './keyed-items.ts';

/** The values of an index's key attributes. */
export interface IndexPlace {
  readonly partition: readonly KeyValue[];
  /** Empty where the index has no sort key. */
  readonly sort: readonly KeyValue[];
}

/** A row's place, by the batch's columns from `at` on; null where it belongs nowhere in the index. */
export function placeOfRow(
  batch: ColumnBatch,
  row: number,
  at: number,
  { partitionKeys, sortKeys }: IndexKey,
): IndexPlace | null {
  const partition = valuesOf(batch, row, at, partitionKeys);
  const sort = valuesOf(batch, row, at + partitionKeys.length, sortKeys);
  return partition === null || sort === null ? null : { partition, sort };
}

function valuesOf(
  batch: ColumnBatch,
  row: number,
  at: number,
  attributes: readonly KeyAttribute[],
): readonly KeyValue[] | null {
  const values: KeyValue[] = [];
  for (const [i, attribute] of attributes.entries()) {
    const value = valueOf(batch, row, at + i, attribute);
    if (value === null) return null;
    values.push(value);
  }
  return values;
}

/** Null where the value is missing or has another type than the index was declared with. */
function valueOf(batch: ColumnBatch, row: number, at: number, { type }: KeyAttribute): KeyValue | null {
  const column = batch.columns[at];
  if (column?.types[row] !== TypeCode[type] || textOf(column, row) === null) return null;
  return keyPart(column, row, type);
}

/** Below 0, 0 or above 0: the order of places in the index. */
export function comparePlaces(a: IndexPlace, b: IndexPlace): number {
  const byPartition = compareTuples(a.partition, b.partition);
  return byPartition === 0 ? compareTuples(a.sort, b.sort) : byPartition;
}

/** Tells whether a place is within any of the ranges. */
export function withinRanges(ranges: readonly KeyRange[]): (place: IndexPlace) => boolean {
  const partitions = new Map<string, Intervals>();
  for (const [text, own] of Map.groupBy(ranges, ({ partition }) => tupleText(partition))) {
    const isWhole = own.some(({ sort }) => sort === null);
    partitions.set(
      text,
      isWhole ? ALL_KEYS : unionOf(own.flatMap(({ sort }) => (sort === null ? [] : intervalOf(sort)))),
    );
  }
  return ({ partition, sort }) => {
    const intervals = partitions.get(tupleText(partition));
    return intervals !== undefined && (sort.length === 0 || covers(intervals, pointOf(...sort)));
  };
}
