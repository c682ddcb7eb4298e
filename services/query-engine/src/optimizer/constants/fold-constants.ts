import type { Expression, LiteralValue } from '../../logical/expression.ts';
import type { BoundStatement } from '../../logical/plan.ts';
import { transformPlanExpressions } from '../../logical/visit.ts';

/** The statement, these expressions with their values. It means what it did. */
export function foldConstants(
  statement: BoundStatement,
  values: ReadonlyMap<Expression, LiteralValue>,
): BoundStatement {
  if (values.size === 0) return statement;
  const plan = transformPlanExpressions(statement.plan, (node) => {
    const folded = values.get(node);
    return folded === undefined ? node : Object.freeze({ ...node, folded: Object.freeze(folded) });
  });
  return Object.freeze({ ...statement, plan });
}
