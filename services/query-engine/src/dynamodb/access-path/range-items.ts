import type { CatalogTable, SecondaryIndex } from '../../catalog/table.ts';
import type { SortCondition, SortRange } from '../table-read.ts';
import { partOfValue } from './estimate.ts';
import type { PartitionRanges } from './key-ranges.ts';

/** The part of a partition that is guessed to lie within a range that says no single key. */
const BOTH_BOUNDS = 0.25;
const PREFIX = 0.2;
const ONE_BOUND = 1 / 3;
/** What reads several parts in one go is guessed to read so many times as much as they are. */
const WITH_GAPS = 1.5;

/**
 * Items of each range of a partition, of which it has so many: one at least, since a Query costs as much as if there
 * were one.
 */
export function rangeItems(
  { sorts, wanted }: PartitionRanges,
  inPartition: number,
  table: CatalogTable,
  index: SecondaryIndex | null,
): readonly number[] {
  const guesses = wanted.map((sort) => partOf(sort, table, index));
  const sum = guesses.reduce((total, part) => total + part, 0);
  // They do not overlap, and there is something between them.
  const fit = wanted.length > 1 ? Math.min(1, 1 / (WITH_GAPS * sum)) : 1;
  const parts =
    sorts.length === wanted.length
      ? guesses.map((part) => part * fit)
      : sorts.map((sort) => Math.max(partOf(sort, table, index), WITH_GAPS * fit * sum));
  return parts.map((part) => Math.max(1, inPartition * part));
}

function partOf(sort: SortRange | null, table: CatalogTable, index: SecondaryIndex | null): number {
  if (sort === null) return 1;
  const names = index?.key.sortKeys.map(({ name }) => name) ?? [];
  const bound = sort.equals.reduce((part, _, at) => part * partOfValue(table, names[at]), 1);
  return bound * partOfAttribute(sort.last, table, index === null ? null : names[sort.equals.length]);
}

/** `name` null: the sort key of the table. */
function partOfAttribute(
  condition: SortCondition,
  table: CatalogTable,
  name: string | undefined | null,
): number {
  switch (condition.operator) {
    case '=':
      // No two items of a table have one key.
      return name === null ? 0 : partOfValue(table, name);
    case 'BETWEEN':
      return BOTH_BOUNDS;
    case 'begins_with':
      return PREFIX;
    default:
      return ONE_BOUND;
  }
}
