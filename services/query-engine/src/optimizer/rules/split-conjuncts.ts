/** Conditions become lists of simple conjuncts, each once; a Filter over a Filter becomes one. */
import { isTrue } from '../../logical/build-expression.ts';
import type { LogicalPlan } from '../../logical/plan.ts';
import { mapList, transformPlan, withFields } from '../../logical/visit.ts';
import { filterOver, mergeConjuncts } from '../conjuncts.ts';
import type { Rule } from '../rule.ts';
import { simplifyCondition } from '../simplify-condition.ts';

function split(node: LogicalPlan): LogicalPlan {
  if (node.kind === 'Join')
    return withFields(node, { on: mergeConjuncts(mapList(node.on, simplifyCondition)) });
  if (node.kind !== 'Filter') return node;
  const predicates = mergeConjuncts(mapList(node.predicates, simplifyCondition));
  if (predicates.every(isTrue)) return node.input;
  if (node.input.kind === 'Filter') return filterOver(node.input, predicates);
  return withFields(node, { predicates });
}

export const splitConjuncts: Rule = Object.freeze({
  name: 'split-conjuncts',
  apply: (plan: LogicalPlan) => transformPlan(plan, split),
});
