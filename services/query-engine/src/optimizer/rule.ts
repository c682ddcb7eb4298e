import type { LogicalPlan } from '../logical/plan.ts';

/** One rewrite. The output columns stay what they are; the very same plan comes back when there was nothing to do. */
export interface Rule {
  readonly name: string;
  readonly apply: (plan: LogicalPlan) => LogicalPlan;
}
