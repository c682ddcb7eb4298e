/**
 * A Sort by columns of a scan, or by functions that keep their order, tells the scan below it the order, which reading by a key
 * may give. Where NULL sorts does not matter: a read can only come in the order of its keys, and keys are never NULL.
 */
import type { LogicalPlan, TableScan } from '../../logical/plan.ts';
import { transformPlan, withFields } from '../../logical/visit.ts';
import { orderHintOf } from '../order-of-scan.ts';
import type { Rule } from '../rule.ts';

type OrderHint = TableScan['orderHint'];

function sameOrder(a: OrderHint, b: OrderHint): boolean {
  return (
    a.length === b.length &&
    a.every(({ column, descending }, i) => column === b[i]?.column && descending === b[i].descending)
  );
}

/** Tells the scan below filters and projections; the plan itself where there is none. */
function hint(plan: LogicalPlan, orderHint: OrderHint): LogicalPlan {
  switch (plan.kind) {
    case 'TableScan':
      return sameOrder(orderHint, plan.orderHint) ? plan : withFields(plan, { orderHint });
    case 'Filter':
    case 'Project':
      return withFields<typeof plan>(plan, { input: hint(plan.input, orderHint) });
    default:
      return plan;
  }
}

export const hintOrderOfScan: Rule = Object.freeze({
  name: 'hint-order-of-scan',
  apply: (plan: LogicalPlan) =>
    transformPlan(plan, (node) => {
      const order = node.kind === 'Sort' ? orderHintOf(node.keys, node.input) : null;
      return node.kind !== 'Sort' || order === null
        ? node
        : withFields(node, { input: hint(node.input, order) });
    }),
});
