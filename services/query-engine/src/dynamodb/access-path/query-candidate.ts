import type { SecondaryIndex } from '../../catalog/table.ts';
import type { TableScan } from '../../logical/plan.ts';
import type { KeyRange } from '../table-read.ts';
import type { Candidate } from './candidate.ts';
import type { Condition } from './condition.ts';
import { itemsPerValue, sizeOf, unitsOfRange } from './estimate.ts';
import { keyRangesOf, type KeyRanges } from './key-ranges.ts';
import { mergedPartitionsMax } from './limits.ts';
import { directionFor } from './read-order.ts';
import { rangeItems } from './range-items.ts';
import { showConjuncts } from './show-condition.ts';

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
  const key = index?.key ?? scan.table.key;
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
  const key = index?.key ?? table.key;
  if (partitions.length === 0) {
    // That no index key can match says nothing of items that are not in the index; the table's own keys are all there.
    if (index !== null) return null;
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
  const direction = directionFor(scan.orderHint, {
    key,
    onePartition: partitions.length === 1,
    mergeable: scan.limitHint !== null && partitions.length <= mergedPartitionsMax,
    unique: index === null,
  });
  const descending = direction?.descending ?? false;
  const size = sizeOf(table, index);
  const inPartition = Math.min(size.items, itemsPerValue(table, key.partitionKey.name, size.items));
  const items = partitions.flatMap((ranges) => rangeItems(ranges, inPartition, table, index));
  const ranges = partitions.flatMap(({ partition, sorts }) => sorts.map((sort) => ({ partition, sort })));
  return {
    path: {
      kind: 'Query',
      index: index?.name ?? null,
      ranges: descending ? [...ranges].reverse() : ranges,
      descending,
      merged: direction?.merged ?? false,
    },
    index,
    items: items.reduce((sum, count) => sum + count, 0),
    units: items.reduce((sum, count) => sum + unitsOfRange(count, size, consistent), 0),
    exact,
    ordered: direction !== null,
    sideBySide: direction?.merged === true ? partitions.length : 1,
    reason: reasonOf(index, conjuncts, ranges, alias, key),
  };
}

function reasonOf(
  index: SecondaryIndex | null,
  conjuncts: readonly Condition[],
  ranges: readonly KeyRange[],
  alias: string,
  { partitionKey, sortKey }: TableScan['table']['key'],
): string {
  const place = index === null ? 'partition key' : `partition key of index ${index.name}`;
  const bySort = ranges.some(({ sort }) => sort !== null);
  const about = showConjuncts(conjuncts, [partitionKey.name], alias);
  // An OR that binds both is told once.
  const others = conjuncts.filter((conjunct) => showConjuncts([conjunct], [partitionKey.name], alias) === '');
  const sort = bySort ? showConjuncts(others, [sortKey?.name], alias) : '';
  return sort === '' ? `${place} bound by ${about}` : `${place} bound by ${about}, sort key by ${sort}`;
}
