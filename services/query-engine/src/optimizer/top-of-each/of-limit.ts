import type { Limit, LogicalPlan } from '../../logical/plan.ts';
import { withFields } from '../../logical/visit.ts';
import { orderColumns } from './order-columns.ts';
import { tellScan } from './tell-scan.ts';

function belowLimit(plan: LogicalPlan, rows: number): LogicalPlan {
  if (plan.kind === 'Project') return withFields(plan, { input: belowLimit(plan.input, rows) });
  if (plan.kind !== 'Sort') return plan;
  const { order, nullsLast } = orderColumns(plan.keys);
  if (order.length === 0) return plan;
  return withFields(plan, { input: tellScan(plan.input, { by: [], order, rows, ties: 'all', nullsLast }) });
}

/** `ORDER BY s DESC LIMIT n`: for each row of what is around it, where it is a lateral or correlated subquery. */
export function topOfLimit(node: Limit): LogicalPlan {
  const { input, count, offset } = node;
  if (count === null || count === 0) return node;
  return withFields(node, { input: belowLimit(input, count + offset) });
}
