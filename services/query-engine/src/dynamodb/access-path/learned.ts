/** What executed queries saw of a path, as estimates have use for it. Hints only. */
import type { LearnedStatistics, SecondaryIndex } from '../../catalog/table.ts';
import type { TableScan } from '../../logical/plan.ts';

/** What is guessed without it counts as so many keys, and as so many rows that pass. */
const GUESS_KEYS = 0.5;
const GUESS_ROWS = 0.3;

/** Items that a key has on average: as queries found them, or as guessed where they tell little. */
export function learnedItemsPerKey(
  scan: TableScan,
  index: SecondaryIndex | null,
  keyColumns: readonly string[],
  guess: number,
): number {
  const name = index?.name ?? null;
  const seen = learnedOf(scan)?.keys.find(
    (entry) => entry.index === name && entry.keyColumns.join('\0') === keyColumns.join('\0'),
  );
  return seen === undefined ? guess : (GUESS_KEYS * guess + seen.items) / (GUESS_KEYS + seen.keys);
}

/** Whether anything is known of filters on a path. */
export function hasLearnedFilters(scan: TableScan, index: SecondaryIndex | null): boolean {
  const name = index?.name ?? null;
  return learnedOf(scan)?.filters.some((entry) => entry.index === name) ?? false;
}

/** The part of the items that pass a filter of this form, from 0 to 1. */
export function learnedPart(
  scan: TableScan,
  index: SecondaryIndex | null,
  form: string,
  guess: number,
): number {
  const name = index?.name ?? null;
  const seen = learnedOf(scan)?.filters.find((entry) => entry.index === name && entry.form === form);
  if (seen === undefined || guess <= 0) return guess;
  return Math.min(1, (seen.passed + GUESS_ROWS) / (seen.read + GUESS_ROWS / guess));
}

function learnedOf({ table, byLearned }: TableScan): LearnedStatistics | undefined {
  return byLearned === true ? table.learned : undefined;
}
