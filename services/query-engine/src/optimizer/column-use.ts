/** Which columns predicates use and plans produce, remembered: rules ask again at every level of a plan. */
import { remembered } from '@penstock/common/caching/remembered.ts';
import type { ColumnId, Expression } from '../logical/expression.ts';
import { outputColumns } from '../logical/output.ts';
import type { LogicalPlan } from '../logical/plan.ts';
import { hasSubquery, referencesOf } from '../logical/references.ts';

/** Columns that the expression refers to, in its subqueries too. */
export const usedColumns: (expression: Expression) => ReadonlySet<ColumnId> = remembered(referencesOf);

/** True when the value is the same for every row. */
export const usesNoColumn = (expression: Expression | undefined): boolean =>
  expression !== undefined && usedColumns(expression).size === 0;

/** IDs of the plan's output columns. */
export const producedColumns: (plan: LogicalPlan) => ReadonlySet<ColumnId> = remembered(
  (plan) => new Set(outputColumns(plan).map(({ id }) => id)),
);

export const containsSubquery: (expression: Expression) => boolean = remembered(hasSubquery);

/** True when the expression uses a column of the plan's output. */
export function usesOutputOf(expression: Expression, plan: LogicalPlan): boolean {
  const columns = producedColumns(plan);
  return [...usedColumns(expression)].some((id) => columns.has(id));
}

/** True when the expression uses no other columns than the plan's output. */
export function usesOnlyOutputOf(expression: Expression, plan: LogicalPlan): boolean {
  return usesOnlyOutputsOf(expression, [plan]);
}

/** True when the expression uses no other columns than the plans' outputs. */
export function usesOnlyOutputsOf(expression: Expression, plans: readonly LogicalPlan[]): boolean {
  const outputs = plans.map(producedColumns);
  return [...usedColumns(expression)].every((id) => outputs.some((columns) => columns.has(id)));
}
