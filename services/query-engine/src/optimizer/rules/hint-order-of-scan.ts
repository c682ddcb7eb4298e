/**
 * A Sort by plain columns tells the scan below it the order, which reading by a key may give. Where NULL sorts does not
 * matter: a read can only come in the order of its keys, and keys are never NULL.
 */
import type { Expression } from '../../logical/expression.ts';
import type { LogicalPlan, ScanColumn, TableScan } from '../../logical/plan.ts';
import { transformPlan, withFields } from '../../logical/visit.ts';
import type { Rule } from '../rule.ts';

interface HintedKey {
  readonly expression: Expression;
  readonly descending: boolean;
}

function scanColumn({ expression }: HintedKey, scan: TableScan): ScanColumn | undefined {
  if (expression.kind !== 'ColumnReference') return undefined;
  return scan.columns.find(({ id }) => id === expression.column.id);
}

function sameOrder(a: TableScan['orderHint'], b: TableScan['orderHint']): boolean {
  return (
    a.length === b.length &&
    a.every(({ column, descending }, i) => column === b[i]?.column && descending === b[i].descending)
  );
}

/** Tells the scan below filters and projections; the plan itself where there is none, or the keys are not its columns. */
function hint(plan: LogicalPlan, keys: readonly HintedKey[]): LogicalPlan {
  switch (plan.kind) {
    case 'TableScan': {
      const orderHint = keys.flatMap((key) => {
        const column = scanColumn(key, plan);
        return column === undefined ? [] : [Object.freeze({ column, descending: key.descending })];
      });
      if (orderHint.length < keys.length || sameOrder(orderHint, plan.orderHint)) return plan;
      return withFields(plan, { orderHint: Object.freeze(orderHint) });
    }
    case 'Filter':
      return withFields(plan, { input: hint(plan.input, keys) });
    case 'Project': {
      const below = keys.flatMap(({ expression, descending }) => {
        const id = expression.kind === 'ColumnReference' ? expression.column.id : null;
        const source = plan.columns.find(({ column }) => column.id === id);
        return source === undefined ? [] : [{ expression: source.expression, descending }];
      });
      return below.length < keys.length ? plan : withFields(plan, { input: hint(plan.input, below) });
    }
    default:
      return plan;
  }
}

export const hintOrderOfScan: Rule = Object.freeze({
  name: 'hint-order-of-scan',
  apply: (plan: LogicalPlan) =>
    transformPlan(plan, (node) =>
      node.kind === 'Sort' ? withFields(node, { input: hint(node.input, node.keys) }) : node,
    ),
});
