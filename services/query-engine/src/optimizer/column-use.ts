/** Which columns predicates use and plans produce, remembered: rules ask again at every level of a plan. */
import type { ColumnId, Expression } from '../logical/expression.ts';
import { outputColumns } from '../logical/output.ts';
import type { LogicalPlan } from '../logical/plan.ts';
import { hasSubquery, referencesOf } from '../logical/references.ts';

const used = new WeakMap<Expression, ReadonlySet<ColumnId>>();
const produced = new WeakMap<LogicalPlan, ReadonlySet<ColumnId>>();
const subqueries = new WeakMap<Expression, boolean>();

/** Columns that the expression refers to, in its subqueries too. */
export function usedColumns(expression: Expression): ReadonlySet<ColumnId> {
  const known = used.get(expression);
  if (known !== undefined) return known;
  const columns = referencesOf(expression);
  used.set(expression, columns);
  return columns;
}

/** IDs of the plan's output columns. */
export function producedColumns(plan: LogicalPlan): ReadonlySet<ColumnId> {
  const known = produced.get(plan);
  if (known !== undefined) return known;
  const columns = new Set(outputColumns(plan).map(({ id }) => id));
  produced.set(plan, columns);
  return columns;
}

export function containsSubquery(expression: Expression): boolean {
  const known = subqueries.get(expression);
  if (known !== undefined) return known;
  const found = hasSubquery(expression);
  subqueries.set(expression, found);
  return found;
}

/** True when the expression uses a column of the plan's output. */
export function usesOutputOf(expression: Expression, plan: LogicalPlan): boolean {
  const columns = producedColumns(plan);
  return [...usedColumns(expression)].some((id) => columns.has(id));
}

/** True when the expression uses no other columns than the plan's output. */
export function usesOnlyOutputOf(expression: Expression, plan: LogicalPlan): boolean {
  const columns = producedColumns(plan);
  return [...usedColumns(expression)].every((id) => columns.has(id));
}
