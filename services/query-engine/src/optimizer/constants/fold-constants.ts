import type { Expression, LiteralValue } from '../../logical/expression.ts';
import type { BoundStatement } from '../../logical/plan.ts';
import { transformExpression, transformPlanExpressions } from '../../logical/visit.ts';
import { soleExpression } from './sole-expression.ts';

/** Conditions with a subquery stay above the reads: what one selects without FROM is as well without it. */
function selected(node: Expression): Expression {
  const sole = node.kind === 'ScalarSubquery' ? soleExpression(node.plan) : null;
  return sole === null ? node : transformExpression(sole, selected);
}

/** The statement, these expressions with their values. It means what it did. */
export function foldConstants(
  statement: BoundStatement,
  values: ReadonlyMap<Expression, LiteralValue>,
): BoundStatement {
  if (values.size === 0) return statement;
  const plan = transformPlanExpressions(statement.plan, (node) => {
    const folded = values.get(node);
    if (folded === undefined) return node;
    return Object.freeze({ ...transformExpression(node, selected), folded: Object.freeze(folded) });
  });
  return Object.freeze({ ...statement, plan });
}
