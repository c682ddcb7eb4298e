/** What a plan costs whatever its reads find. */
import type { PhysicalPlan } from './physical-plan.ts';

/**
 * Read units that the plan consumes at least: a lower bound, since queries are refused by it before they read. Each read of
 * a plan is made, and what is not certain to be read of it has a `low` of 0.
 */
export function leastUnits({ reads, execution }: Pick<PhysicalPlan, 'reads' | 'execution'>): number {
  if (execution.rows.count <= 0) return 0;
  return reads.reduce((sum, { estimate }) => sum + estimate.low, 0);
}
