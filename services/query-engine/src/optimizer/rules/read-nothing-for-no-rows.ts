/**
 * Scans below a plan that has no rows get FALSE as their filter: nothing is read, on the other side of a join too. The
 * plan itself stays, so that columns keep their types (`SELECT … LIMIT 0` is how clients ask for them) and mistakes
 * are still found.
 */
import { FALSE_LITERAL } from '../../logical/build-expression.ts';
import type { LogicalPlan } from '../../logical/plan.ts';
import { mapChildren, mapExpressions, mapInputs, transformPlan, withFields } from '../../logical/visit.ts';
import { isEmpty } from '../is-empty.ts';
import type { Rule } from '../rule.ts';
import type { Expression } from '../../logical/expression.ts';

const NOTHING = Object.freeze([FALSE_LITERAL]);

function silence(plan: LogicalPlan): LogicalPlan {
  return transformPlan(plan, (node) =>
    node.kind === 'TableScan' ? withFields(node, { filter: NOTHING }) : node,
  );
}

/** From the top, so that each plan without rows is dealt with once. */
function readNothing(plan: LogicalPlan): LogicalPlan {
  if (isEmpty(plan)) return silence(plan);
  const intoExpression = (node: Expression): Expression => mapChildren(node, intoExpression, readNothing);
  return mapInputs(mapExpressions(plan, intoExpression), readNothing);
}

export const readNothingForNoRows: Rule = Object.freeze({
  name: 'read-nothing-for-no-rows',
  apply: readNothing,
});
