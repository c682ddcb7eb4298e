/** Optimizing and planning without a turn for anybody else. */
import { inOneGo } from '../../src/scheduling/sliced-work.ts';
import type { BoundStatement } from '../../src/logical/plan.ts';
import { optimize as optimizeSliced, type OptimizeOptions } from '../../src/optimizer/optimize.ts';
import type { PhysicalPlan } from '../../src/planning/physical-plan.ts';
import { planQuery as planSliced, type PlanOptions } from '../../src/planning/plan-query.ts';

export function optimize(statement: BoundStatement, options: OptimizeOptions): BoundStatement {
  return inOneGo(optimizeSliced(statement, options));
}

export function planQuery(optimized: BoundStatement, options: PlanOptions): PhysicalPlan {
  return inOneGo(planSliced(optimized, options));
}
