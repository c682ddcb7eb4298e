/** Of the forms that a statement may be given, the one whose reads cost least. */
import type { BoundStatement } from '../logical/plan.ts';
import { optimize, type OptimizeOptions } from '../optimizer/optimize.ts';
import { CTES_TRIED_MAX } from './limits.ts';
import { planQuery, type PlanOptions } from './plan-query.ts';
import { repeatableCtes, repeatCtes } from './repeat-ctes.ts';

interface Form {
  readonly statement: BoundStatement;
  readonly units: number;
}

/**
 * The optimised statement. A CTE that is used several times is computed once, except where reading for each use alone is
 * cheaper: then the uses have the filters and keys that reach them. Pure.
 */
export function cheapestForm(
  bound: BoundStatement,
  optimizing: OptimizeOptions,
  planning: PlanOptions,
): BoundStatement {
  const repeatable = optimizing.pushdown ? repeatableCtes(bound.plan) : [];
  if (repeatable.length === 0) return optimize(bound, optimizing);
  const formOf = (repeated: readonly number[]): Form => {
    const plan = repeated.length === 0 ? bound.plan : repeatCtes(bound.plan, new Set(repeated));
    const statement = optimize({ ...bound, plan }, optimizing);
    const { reads } = planQuery(statement, planning);
    return { statement, units: reads.reduce((sum, { estimate }) => sum + estimate.units, 0) };
  };
  const once = formOf([]);
  let best = formOf(repeatable);
  if (best.units >= once.units) return once.statement;
  if (repeatable.length > CTES_TRIED_MAX) return best.statement;
  let repeated = repeatable;
  for (const id of repeatable) {
    const fewer = repeated.filter((other) => other !== id);
    const tried = fewer.length === 0 ? once : formOf(fewer);
    if (tried.units <= best.units) [repeated, best] = [fewer, tried];
  }
  return best.statement;
}
