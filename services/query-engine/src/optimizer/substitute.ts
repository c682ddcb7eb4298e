/** Puts expressions in the place of columns. */
import type { ColumnId, Expression } from '../logical/expression.ts';
import {
  childrenOf,
  transformExpression,
  transformPlanExpressions,
  walkExpression,
} from '../logical/visit.ts';
import { containsSubquery, usedColumns } from './column-use.ts';
import { SUBSTITUTION_GROWTH_NODES_MAX } from './limits.ts';

/** What stands for a column below. */
export type Replacements = ReadonlyMap<ColumnId, Expression>;

/** Nodes of the tree; counting ends soon after `max`. */
function countNodes(root: Expression, max: number): number {
  let count = 1;
  for (const child of childrenOf(root)) {
    if (count > max) break;
    count += countNodes(child, max - count);
  }
  return count;
}

function growthOf(expression: Expression, replacements: Replacements): number {
  let growth = 0;
  walkExpression(expression, (node) => {
    if (node.kind !== 'ColumnReference' || growth > SUBSTITUTION_GROWTH_NODES_MAX) return;
    const replacement = replacements.get(node.column.id);
    if (replacement !== undefined) growth += countNodes(replacement, SUBSTITUTION_GROWTH_NODES_MAX) - 1;
  });
  return growth;
}

function usedReplacements(expression: Expression, replacements: Replacements): readonly Expression[] {
  const used: Expression[] = [];
  walkExpression(expression, (node) => {
    if (node.kind !== 'ColumnReference') return;
    const replacement = replacements.get(node.column.id);
    if (replacement !== undefined) used.push(replacement);
  });
  return used;
}

/**
 * The expression with columns replaced, in its subqueries too. Null where that is not worth it: it would grow too much,
 * or a subquery would be in the plan twice.
 */
export function substitute(expression: Expression, replacements: Replacements): Expression | null {
  if (usedReplacements(expression, replacements).some(containsSubquery)) return null;
  if (growthOf(expression, replacements) > SUBSTITUTION_GROWTH_NODES_MAX) return null;
  // Inside a subquery only a column takes a column's place.
  const columnsOnly = [...usedColumns(expression)].every(
    (id) => (replacements.get(id)?.kind ?? 'ColumnReference') === 'ColumnReference',
  );
  if (containsSubquery(expression) && !columnsOnly) return null;
  const replace = (node: Expression): Expression =>
    node.kind === 'ColumnReference' ? (replacements.get(node.column.id) ?? node) : node;
  return transformExpression(expression, replace, (plan) => transformPlanExpressions(plan, replace));
}
