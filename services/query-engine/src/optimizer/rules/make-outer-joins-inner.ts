/**
 * An outer join whose rows without a partner are dropped above it, since a condition there is over the partner's columns
 * and never true of NULL, is an inner join: filters and keys then go through it both ways.
 */
import type { Expression } from '../../logical/expression.ts';
import type { Join, LogicalPlan } from '../../logical/plan.ts';
import { mapChildren, mapExpressions, mapInputs, withFields } from '../../logical/visit.ts';
import { producedColumns } from '../column-use.ts';
import { rejectsNull } from '../rejects-null.ts';
import type { Rule } from '../rule.ts';

type Conjuncts = readonly Expression[];

/** What the join is to rows that must pass these conjuncts. */
function kindOf({ join, left, right, on }: Join, above: Conjuncts): Join['join'] {
  const drops = (side: LogicalPlan): boolean =>
    above.some((conjunct) => rejectsNull(conjunct, producedColumns(side)));
  const keepsLeft = (join === 'left' || join === 'full') && !drops(right);
  const keepsRight = (join === 'right' || join === 'full') && !drops(left);
  if (keepsLeft) return keepsRight ? 'full' : 'left';
  if (keepsRight) return 'right';
  return on.length === 0 ? 'cross' : 'inner';
}

/** `above`: conjuncts that the plan's rows must pass, wherever they are. */
function visit(plan: LogicalPlan, above: Conjuncts): LogicalPlan {
  const node = mapExpressions(plan, intoExpression);
  if (node.kind === 'Filter')
    return withFields(node, { input: visit(node.input, [...above, ...node.predicates]) });
  if (node.kind !== 'Join') return mapInputs(node, (input) => visit(input, []));
  const join = node.join === 'cross' ? 'cross' : kindOf(node, above);
  const inner = join === 'inner' || join === 'cross';
  return withFields(node, {
    join,
    left: visit(node.left, [...above, ...(inner || join === 'right' ? node.on : [])]),
    right: visit(node.right, [...above, ...(inner || join === 'left' ? node.on : [])]),
  });
}

function intoExpression(root: Expression): Expression {
  return mapChildren(root, intoExpression, (plan) => visit(plan, []));
}

export const makeOuterJoinsInner: Rule = Object.freeze({
  name: 'make-outer-joins-inner',
  apply: (plan: LogicalPlan) => visit(plan, []),
});
