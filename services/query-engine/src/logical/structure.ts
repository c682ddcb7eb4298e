/** Tells whether two expressions are built alike, without comparing trees again and again. */
import type { Expression } from './expression.ts';
import type { LogicalPlan } from './plan.ts';
import { childrenOf, mapChildren, subqueryOf } from './visit.ts';
import { NULL_LITERAL } from './build-expression.ts';

/** A number for an expression: equal for two expressions exactly when they are built alike, places aside. */
export type StructureOf = (node: Expression) => number;

/** What a node says itself, its children and its place left out. */
function shapeOf(node: Expression): string {
  // The two that most nodes are, at a tenth of the time.
  if (node.kind === 'ColumnReference') return `column ${node.column.id}`;
  if (node.kind === 'Comparison') return `compare ${node.operator}`;
  const bare = mapChildren(node, () => NULL_LITERAL);
  return JSON.stringify(bare, (key, value: unknown) => (key === 'pos' || key === 'plan' ? undefined : value));
}

/**
 * Numbers expressions by structure, within one statement. Each node is looked at once. Subqueries are alike only when
 * they are the same object: bound twice, they read their tables under different column IDs.
 */
export function structureNumbers(): StructureOf {
  const numbers = new Map<string, number>();
  const known = new WeakMap<Expression, number>();
  const plans = new WeakMap<LogicalPlan, number>();
  let planCount = 0;

  const planNumber = (plan: LogicalPlan | null): number => {
    if (plan === null) return 0;
    const number = plans.get(plan) ?? (planCount += 1);
    plans.set(plan, number);
    return number;
  };

  const numberOf = (node: Expression): number => {
    const before = known.get(node);
    if (before !== undefined) return before;
    const children = childrenOf(node).map(numberOf);
    const key = `${shapeOf(node)}|${children.join(',')}|${planNumber(subqueryOf(node))}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    known.set(node, number);
    return number;
  };
  return numberOf;
}
