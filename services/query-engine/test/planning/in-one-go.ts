/** Optimizing and planning without a turn for anybody else. */
import { inOneGo } from '../../src/scheduling/sliced-work.ts';
import type { BoundStatement } from '../../src/logical/plan.ts';
import { optimizeInSteps, type OptimizeOptions } from '../../src/optimizer/optimize.ts';
import type { PhysicalPlan } from '../../src/planning/physical-plan.ts';
import { planQueryInSteps, type PlanOptions } from '../../src/planning/plan-query.ts';

export function optimize(statement: BoundStatement, options: OptimizeOptions): BoundStatement {
  return inOneGo(optimizeInSteps(statement, options));
}

export function planQuery(optimized: BoundStatement, options: PlanOptions): PhysicalPlan {
  return inOneGo(planQueryInSteps(optimized, options));
}
