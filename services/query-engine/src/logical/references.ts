/** Which columns expressions and plans use. */
import type { ColumnId, Expression } from './expression.ts';
import type { LogicalPlan } from './plan.ts';
import { outputColumns } from './output.ts';
import { walkDeep, walkExpressionDeep } from './visit.ts';

/** Columns that the expression refers to, in its subqueries too. */
export function referencesOf(root: Expression): ReadonlySet<ColumnId> {
  const ids = new Set<ColumnId>();
  walkExpressionDeep(root, {
    expression: (node) => {
      if (node.kind === 'ColumnReference') ids.add(node.column.id);
    },
  });
  return ids;
}

/** Columns that anything in the plan refers to, whether it produces them or not. */
export function referencesInPlan(root: LogicalPlan): ReadonlySet<ColumnId> {
  const ids = new Set<ColumnId>();
  walkDeep(root, {
    expression: (node) => {
      if (node.kind === 'ColumnReference') ids.add(node.column.id);
    },
  });
  return ids;
}

/** True when the expression holds a subquery. */
export function hasSubquery(root: Expression): boolean {
  let found = false;
  walkExpressionDeep(root, {
    plan: () => {
      found = true;
    },
  });
  return found;
}

/** True when the plan refers to columns that none of its nodes produces: those of a query around it. */
export function isCorrelated(root: LogicalPlan): boolean {
  const produced = new Set<ColumnId>();
  walkDeep(root, {
    plan: (node) => {
      for (const { id } of outputColumns(node)) produced.add(id);
    },
  });
  return [...referencesInPlan(root)].some((id) => !produced.has(id));
}
