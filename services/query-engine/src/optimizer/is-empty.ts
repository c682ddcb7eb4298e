import { remembered } from '@penstock/common/caching/remembered.ts';
import { isNeverTrue } from '../logical/build-expression.ts';
import type { Aggregate, Join, LogicalPlan } from '../logical/plan.ts';
import { visitPlan, type PlanVisitor } from '../logical/visit.ts';

const EMPTY: PlanVisitor<boolean> = {
  TableScan: () => false,
  CteScan: () => false,
  Values: ({ rows }) => rows.length === 0,
  Filter: ({ input, predicates }) => predicates.some(isNeverTrue) || isEmpty(input),
  Project: ({ input }) => isEmpty(input),
  Join: isEmptyJoin,
  Unnest: ({ input }) => isEmpty(input),
  Series: () => false,
  Aggregate: isEmptyAggregate,
  Window: ({ input }) => isEmpty(input),
  Distinct: ({ input }) => isEmpty(input),
  SetOperation: ({ operator, left, right }) => {
    if (operator === 'union') return isEmpty(left) && isEmpty(right);
    return isEmpty(left) || (operator === 'intersect' && isEmpty(right));
  },
  Sort: ({ input }) => isEmpty(input),
  Limit: ({ input, count }) => count === 0 || isEmpty(input),
  With: ({ body }) => isEmpty(body),
  Recursion: ({ base }) => isEmpty(base),
  RecursionScan: () => false,
};

function isEmptyJoin({ join, left, right, on }: Join): boolean {
  switch (join) {
    case 'inner':
    case 'cross':
      return on.some(isNeverTrue) || isEmpty(left) || isEmpty(right);
    case 'left':
      return isEmpty(left);
    case 'right':
      return isEmpty(right);
    case 'full':
      return isEmpty(left) && isEmpty(right);
  }
}

/** Without GROUP BY, and for the grouping set of nothing, there is one row even of no rows. */
function isEmptyAggregate({ input, groupBy, groupingSets }: Aggregate): boolean {
  const sets = groupingSets ?? [groupBy];
  return sets.every((set) => set.length > 0) && isEmpty(input);
}

/** Whether the plan surely has no rows, whatever the tables hold. */
export const isEmpty: (plan: LogicalPlan) => boolean = remembered((plan) => visitPlan(EMPTY, plan));
