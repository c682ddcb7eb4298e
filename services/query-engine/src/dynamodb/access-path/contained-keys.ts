/**
 * Whether what one path reads is among what another reads, told from their keys alone. Both are of one table, and go by its
 * keys or by one index; an index against its table is not told.
 */
import type { AccessPath, ItemKey, KeyRange, KeyValue } from '../table-read.ts';
import { covers, pointOf, unionOf, type Interval, type Intervals } from './key-interval.ts';
import { tupleText } from './key-value.ts';
import { intervalOf } from './sort-range.ts';

const ALL: Interval = Object.freeze({ low: null, high: null });

/** A value for each attribute of the partition key, and the sort keys there. */
type Range = readonly [partition: readonly KeyValue[], sort: Interval];

const ofKey = ({ partition, sort }: ItemKey): Range => [[partition], sort === null ? ALL : pointOf(sort)];
const ofRange = ({ partition, sort }: KeyRange): Range => [partition, sort === null ? ALL : intervalOf(sort)];

interface Keys {
  /** Null: the table's. */
  readonly index: string | null;
  readonly ranges: readonly Range[];
}

/** What a path reads by; null where that is not by keys. */
function keysOf(path: AccessPath): Keys | null {
  switch (path.kind) {
    case 'GetItem':
      return { index: null, ranges: [ofKey(path.key)] };
    case 'BatchGetItem':
      return { index: null, ranges: path.keys.map(ofKey) };
    case 'Query':
      return { index: path.index, ranges: path.ranges.map(ofRange) };
    default:
      return null;
  }
}

/** True when every item that `narrow` reads is one that `wide` reads. */
export function isWithin(narrow: AccessPath, wide: AccessPath): boolean {
  const [inner, outer] = [keysOf(narrow), keysOf(wide)];
  if (inner === null || outer === null || inner.index !== outer.index) return false;
  if (wide.kind === 'Query' && wide.topOfEach !== undefined) return false;
  const byPartition = new Map<string, Intervals>();
  for (const [partition, own] of Map.groupBy(outer.ranges, ([values]) => tupleText(values)))
    byPartition.set(partition, unionOf(own.map(([, sort]) => sort)));
  return inner.ranges.every(([partition, sort]) => covers(byPartition.get(tupleText(partition)) ?? [], sort));
}
