/** Whether two executions gave the same answer, as far as the query fixes it. */
import type { WorkloadQuery } from './query.ts';

const textOf = (row: unknown): string => JSON.stringify(row);

/**
 * What every right answer to the query has in common, as texts: all rows in any order; of a LIMIT, how many there are, and
 * the values that they are ordered by, which come first in the row.
 */
export function fixedBy({ limit, order }: WorkloadQuery, rows: readonly unknown[]): readonly string[] {
  if (limit === null) return rows.map(textOf).sort();
  return rows.map((row) => (order === null ? '' : textOf((row as readonly unknown[])[0])));
}
