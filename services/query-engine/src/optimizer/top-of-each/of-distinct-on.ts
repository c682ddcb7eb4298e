import type { ColumnId } from '../../logical/expression.ts';
import type { Distinct, LogicalPlan } from '../../logical/plan.ts';
import { withFields } from '../../logical/visit.ts';
import { orderColumns } from './order-columns.ts';
import { columnsIn, tellScan } from './tell-scan.ts';

function belowDistinct(plan: LogicalPlan, by: readonly ColumnId[]): LogicalPlan {
  if (plan.kind !== 'Sort') return plan;
  // What all rows of a group have in common orders none of them.
  const keys = plan.keys.filter(({ expression }) => {
    return expression.kind !== 'ColumnReference' || !by.includes(expression.column.id);
  });
  const { order, nullsLast } = orderColumns(keys);
  if (order.length === 0) return plan;
  return withFields(plan, { input: tellScan(plan.input, { by, order, rows: 1, ties: 'all', nullsLast }) });
}

/** `DISTINCT ON (k) … ORDER BY k, s DESC`. */
export function topOfDistinctOn(node: Distinct): LogicalPlan {
  if (node.on === null) return node;
  return withFields(node, { input: belowDistinct(node.input, columnsIn(node.on)) });
}
