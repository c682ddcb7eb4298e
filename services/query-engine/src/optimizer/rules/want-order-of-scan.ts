/**
 * A Sort by plain columns tells the scan below it the order, which reading by a key may give. Where NULL sorts does not
 * matter: a read can only come in the order of its keys, and keys are never NULL.
 */
import type { Expression } from '../../logical/expression.ts';
import type { LogicalPlan, ScanColumn, TableScan } from '../../logical/plan.ts';
import { transformPlan, withFields } from '../../logical/visit.ts';
import type { Rule } from '../rule.ts';

interface WantedKey {
  readonly expression: Expression;
  readonly descending: boolean;
}

function scanColumn({ expression }: WantedKey, scan: TableScan): ScanColumn | undefined {
  if (expression.kind !== 'ColumnReference') return undefined;
  return scan.columns.find(({ id }) => id === expression.column.id);
}

function sameOrder(a: TableScan['orderWanted'], b: TableScan['orderWanted']): boolean {
  return (
    a.length === b.length &&
    a.every(({ column, descending }, i) => column === b[i]?.column && descending === b[i].descending)
  );
}

/** Tells the scan below filters and projections; the plan itself where there is none, or the keys are not its columns. */
function want(plan: LogicalPlan, keys: readonly WantedKey[]): LogicalPlan {
  switch (plan.kind) {
    case 'TableScan': {
      const orderWanted = keys.flatMap((key) => {
        const column = scanColumn(key, plan);
        return column === undefined ? [] : [Object.freeze({ column, descending: key.descending })];
      });
      if (orderWanted.length < keys.length || sameOrder(orderWanted, plan.orderWanted)) return plan;
      return withFields(plan, { orderWanted: Object.freeze(orderWanted) });
    }
    case 'Filter':
      return withFields(plan, { input: want(plan.input, keys) });
    case 'Project': {
      const below = keys.flatMap(({ expression, descending }) => {
        const id = expression.kind === 'ColumnReference' ? expression.column.id : null;
        const source = plan.columns.find(({ column }) => column.id === id);
        return source === undefined ? [] : [{ expression: source.expression, descending }];
      });
      return below.length < keys.length ? plan : withFields(plan, { input: want(plan.input, below) });
    }
    default:
      return plan;
  }
}

export const wantOrderOfScan: Rule = Object.freeze({
  name: 'want-order-of-scan',
  apply: (plan: LogicalPlan) =>
    transformPlan(plan, (node) =>
      node.kind === 'Sort' ? withFields(node, { input: want(node.input, node.keys) }) : node,
    ),
});
