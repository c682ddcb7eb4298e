/**
 * Where each group's first rows are wanted (`TableScan.topOfEach`): whether the ranges of a key have them as their first
 * items.
 *
 * Items that are left out of a range come behind those that are read of it. Where a range is of one group, and its key has the
 * order, so many rows of the group come before that one: it is none of the first, however many ranges the group has.
 */
import { queryKey, type SecondaryIndex } from '../../catalog/table.ts';
import type { TableScan } from '../../logical/plan.ts';
import type { KeyRange, RangeTop, SortRange } from '../table-read.ts';
import { attributeOf } from './condition.ts';
import { itemsOfLeastRead, sizeOf } from './estimate.ts';

export interface ReadTop {
  readonly top: RangeTop;
  readonly descending: boolean;
}

/** Attributes of the sort key that have one value in a range. */
function boundBy(sort: SortRange | null): number {
  if (sort === null) return 0;
  return sort.equals.length + (sort.last.operator === '=' ? 1 : 0);
}

/** Items of a range that are asked for: one more tells whether any is equal to the last of them. */
export function itemsOfTop({ rows, ties }: RangeTop): number {
  return rows + (ties.length > 0 ? 1 : 0);
}

/** Null where the ranges are to be read to their ends. */
export function topOfRanges(
  { table, limitHint, topOfEach }: TableScan,
  index: SecondaryIndex | null,
  ranges: readonly KeyRange[],
): ReadTop | null {
  if (topOfEach === undefined || limitHint !== null) return null;
  const { partitionKeys, sortKeys } = queryKey(table, index);
  const bound = ranges.reduce((least, { sort }) => Math.min(least, boundBy(sort)), sortKeys.length);
  const fixed = new Set([...partitionKeys, ...sortKeys.slice(0, bound)].map(({ name }) => name));
  const isFixed = (name: string | null): boolean => name !== null && fixed.has(name);
  if (!topOfEach.by.every((column) => isFixed(attributeOf(column)))) return null;
  const order = topOfEach.order
    .map(({ column, descending }) => ({ name: attributeOf(column), descending }))
    .filter(({ name }) => !isFixed(name));
  const descending = order[0]?.descending ?? false;
  const varying = sortKeys.slice(bound);
  // Bytes sort otherwise above.
  const differing = varying.findIndex(
    ({ name, type }, i) => type === 'B' || order[i]?.name !== name || order[i].descending !== descending,
  );
  const inOrder = differing < 0 ? varying : varying.slice(0, differing);
  if (inOrder.length === 0) return null;
  // No two items of a table have one key, while those of an index may.
  const areDifferent = index === null && inOrder.length === varying.length;
  if (topOfEach.ties === 'none' && !areDifferent) return null;
  const areTold = areDifferent || (topOfEach.ties === 'any' && inOrder.length === order.length);
  return {
    top: {
      rows: topOfEach.rows,
      ties: areTold ? [] : inOrder.map(({ name }) => name),
      tiedItemsMin: itemsOfLeastRead(sizeOf(table, index)),
    },
    descending,
  };
}
