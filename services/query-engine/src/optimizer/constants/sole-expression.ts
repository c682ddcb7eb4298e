import type { Expression } from '../../logical/expression.ts';
import type { LogicalPlan } from '../../logical/plan.ts';

/** What `(SELECT expression)` without FROM is: the expression itself. Null of any other subquery. */
export function soleExpression(plan: LogicalPlan): Expression | null {
  if (plan.kind !== 'Project' || plan.input.kind !== 'Values') return null;
  const { columns, rows } = plan.input;
  const [only, ...others] = plan.columns;
  return rows.length === 1 && columns.length === 0 && others.length === 0 ? (only?.expression ?? null) : null;
}
