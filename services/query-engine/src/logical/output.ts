/** What a plan node hands up. */
import { remembered } from '@penstock/common/caching/remembered.ts';
import type { Column } from './expression.ts';
import type { LogicalPlan } from './plan.ts';
import type { OfKind } from './visit.ts';

const OUTPUT: { readonly [K in LogicalPlan['kind']]: (plan: OfKind<LogicalPlan, K>) => readonly Column[] } = {
  TableScan: (plan) => plan.columns,
  Values: (plan) => plan.columns,
  Filter: (plan) => outputColumns(plan.input),
  Project: (plan) => plan.columns.map(({ column }) => column),
  Join: (plan) => [...outputColumns(plan.left), ...outputColumns(plan.right)],
  Unnest: ({ input, column, ordinality }) => [
    ...outputColumns(input),
    column,
    ...(ordinality === null ? [] : [ordinality]),
  ],
  Series: ({ column, ordinality }) => (ordinality === null ? [column] : [column, ordinality]),
  Aggregate: (plan) => [
    ...plan.groupBy.map(({ column }) => column),
    ...plan.aggregates.map(({ column }) => column),
    ...plan.groupings.map(({ column }) => column),
  ],
  Window: (plan) => [...outputColumns(plan.input), ...plan.functions.map(({ column }) => column)],
  Distinct: (plan) => outputColumns(plan.input),
  SetOperation: (plan) => plan.columns,
  Sort: (plan) => outputColumns(plan.input),
  Limit: (plan) => outputColumns(plan.input),
  With: (plan) => outputColumns(plan.body),
  CteScan: (plan) => plan.columns,
  Recursion: (plan) => plan.columns,
  RecursionScan: (plan) => plan.columns,
};

/**
 * The columns of a node's rows, in order. A join's are the left's, then the right's; an aggregate's are the group
 * columns, the aggregates, then the GROUPING() columns; a window's are its input's, then its functions'. Remembered: a
 * deep join tree would be walked once per level.
 */
export const outputColumns: (plan: LogicalPlan) => readonly Column[] = remembered((plan) =>
  (OUTPUT[plan.kind] as (plan: LogicalPlan) => readonly Column[])(plan),
);
