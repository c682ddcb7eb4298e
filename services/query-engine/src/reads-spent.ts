/** What each read of a statement came to, for whoever compares it with the plan. */
import { relationName } from './catalog/index-relation.ts';
import type { ReadTallies } from './execution/loading/read-tallies.ts';
import { SAID_READS_MAX } from './limits.ts';
import type { PhysicalPlan } from './planning/physical-plan.ts';

export interface ReadSpent {
  /** As the plan names it. */
  readonly table: string;
  /** What the statement calls it. */
  readonly alias: string;
  readonly readUnits: number;
  /** Items that its pages had, before filters. */
  readonly items: number;
}

/** The first reads of the plan, as many as are said of a result. */
export function readsSpent({ reads }: PhysicalPlan, tallies: ReadTallies): readonly ReadSpent[] {
  return reads.slice(0, SAID_READS_MAX).map((read) => ({
    table: relationName(read.table),
    alias: read.alias,
    ...tallies.spentBy(read),
  }));
}
