/** Of the forms that a statement may be given, the one whose reads cost least. */
import type { BoundStatement } from '../logical/plan.ts';
import { optimize, type OptimizeOptions } from '../optimizer/optimize.ts';
import { CTES_TRIED_MAX } from './limits.ts';
import { planQuery, type PlanOptions } from './plan-query.ts';
import { inlinableCtes, inlineCtes } from '../optimizer/inline-ctes.ts';

interface Form {
  readonly statement: BoundStatement;
  readonly units: number;
}

/**
 * The optimized statement. A CTE that is used several times is computed once, except where reading for each use alone is
 * cheaper: then the uses have the filters and keys that reach them. Pure. Yields where others may have their turn.
 */
export function* chooseInlining(
  bound: BoundStatement,
  optimizing: OptimizeOptions,
  planning: PlanOptions,
): Generator<void, BoundStatement> {
  const repeatable = optimizing.pushdown ? inlinableCtes(bound.plan) : [];
  if (repeatable.length === 0) return yield* optimize(bound, optimizing);
  const formOf = function* (repeated: readonly number[]): Generator<void, Form> {
    const plan = repeated.length === 0 ? bound.plan : inlineCtes(bound.plan, new Set(repeated));
    const statement = yield* optimize({ ...bound, plan }, optimizing);
    const { reads } = yield* planQuery(statement, planning);
    return { statement, units: reads.reduce((sum, { estimate }) => sum + estimate.units, 0) };
  };
  const once = yield* formOf([]);
  let best = yield* formOf(repeatable);
  if (best.units >= once.units) return once.statement;
  if (repeatable.length > CTES_TRIED_MAX) return best.statement;
  let repeated = repeatable;
  for (const id of repeatable) {
    const fewer = repeated.filter((other) => other !== id);
    const tried = fewer.length === 0 ? once : yield* formOf(fewer);
    if (tried.units <= best.units) [repeated, best] = [fewer, tried];
  }
  return best.statement;
}
