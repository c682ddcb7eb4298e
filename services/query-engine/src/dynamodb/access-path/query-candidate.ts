import { queryKey, type IndexKey, type SecondaryIndex } from '../../catalog/table.ts';
import type { TableScan } from '../../logical/plan.ts';
import type { KeyRange } from '../table-read.ts';
import type { Candidate } from './candidate.ts';
import type { Condition } from './condition.ts';
import { itemsPerValue, sizeOf, unitsOfRange } from './estimate.ts';
import { keyRangesOf, type KeyRanges } from './key-ranges.ts';
import { learnedItemsPerKey } from './learned.ts';
import { mergedPartitionsMax } from './limits.ts';
import { directionFor, fixedAttributes } from './read-order.ts';
import { rangeItems } from './range-items.ts';
import { showConjuncts } from './show-condition.ts';
import { itemsOfTop, topOfRanges } from './top-of-ranges.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * Queries of the table (`index` null) or of an index that may be read, where the conjuncts bind its partition key: one
 * for each way to cut what they leave into ranges.
 */
export function queryCandidates(
  scan: TableScan,
  index: SecondaryIndex | null,
  conjuncts: readonly Condition[],
  consistent: boolean,
): readonly Candidate[] {
  const key = queryKey(scan.table, index);
  return keyRangesOf(conjuncts, key)
    .map((found) => queryCandidate(scan, index, conjuncts, consistent, found))
    .filter((candidate) => candidate !== null);
}

function queryCandidate(
  scan: TableScan,
  index: SecondaryIndex | null,
  conjuncts: readonly Condition[],
  consistent: boolean,
  { partitions, exact }: KeyRanges,
): Candidate | null {
  const { table, alias } = scan;
  const key = queryKey(table, index);
  if (partitions.length === 0) {
    // That no index key can match says nothing of items that are not in the index; the table's own keys are all there.
    if (index !== null && table.entriesOf !== index.name) return null;
    return {
      path: { kind: 'Nothing' },
      index: null,
      items: 0,
      units: 0,
      exact: new Set(conjuncts),
      ordered: true,
      sideBySide: 1,
      reason: 'no key can match the predicates',
    };
  }
  const ranges = partitions.flatMap(({ partition, sorts }) => sorts.map((sort) => ({ partition, sort })));
  const direction = directionFor(scan.orderHint, {
    key,
    fixed: scan.orderHint.length === 0 ? NONE : fixedAttributes(key, ranges),
    mergeable: scan.limitHint !== null && partitions.length <= mergedPartitionsMax,
    unique: index === null,
  });
  const top = conjuncts.every((conjunct) => exact.has(conjunct)) ? topOfRanges(scan, index, ranges) : null;
  const descending = top?.descending ?? direction?.descending ?? false;
  const size = sizeOf(table, index);
  const names = key.partitionKeys.map(({ name }) => name);
  const guessed = names.reduce(
    (left, name) => Math.min(size.items, itemsPerValue(table, name, left)),
    size.items,
  );
  const inPartition = Math.min(size.items, learnedItemsPerKey(scan, index, names, guessed));
  const whole = partitions.flatMap((ranges) => rangeItems(ranges, inPartition, table, index));
  const items = top === null ? whole : whole.map((count) => Math.min(count, itemsOfTop(top.top)));
  return {
    path: {
      kind: 'Query',
      index: index?.name ?? null,
      ranges: direction?.descending === true ? [...ranges].reverse() : ranges,
      descending,
      merged: direction?.merged ?? false,
      ...(top !== null && { topOfEach: top.top }),
    },
    index,
    items: Math.min(
      size.items,
      items.reduce((sum, count) => sum + count, 0),
    ),
    units: Math.min(
      items.reduce((sum, count) => sum + unitsOfRange(count, size, consistent), 0),
      unitsOfRange(size.items, size, consistent) + ranges.length * unitsOfRange(0, size, consistent),
    ),
    exact,
    ordered: direction?.descending === descending,
    sideBySide: direction?.merged === true ? partitions.length : 1,
    reason: reasonOf(index, conjuncts, ranges, alias, key),
  };
}

function reasonOf(
  index: SecondaryIndex | null,
  conjuncts: readonly Condition[],
  ranges: readonly KeyRange[],
  alias: string,
  { partitionKeys, sortKeys }: IndexKey,
): string {
  const [partitionNames, sortNames] = [partitionKeys, sortKeys].map((list) => list.map(({ name }) => name));
  const place = index === null ? 'partition key' : `partition key of index ${index.name}`;
  const bySort = ranges.some(({ sort }) => sort !== null);
  const about = showConjuncts(conjuncts, partitionNames ?? [], alias);
  // An OR that binds both is told once.
  const others = conjuncts.filter(
    (conjunct) => showConjuncts([conjunct], partitionNames ?? [], alias) === '',
  );
  const sort = bySort ? showConjuncts(others, sortNames ?? [], alias) : '';
  return sort === '' ? `${place} bound by ${about}` : `${place} bound by ${about}, sort key by ${sort}`;
}
