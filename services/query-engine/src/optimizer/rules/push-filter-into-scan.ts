/**
 * A Filter over a scan tells the read its conjuncts, as a hint; the Filter stays and decides. Outer columns of a
 * correlated subquery are no constants to a read.
 */
import { isNeverTrue } from '../../logical/build-expression.ts';
import type { LogicalPlan } from '../../logical/plan.ts';
import { transformPlan, withFields } from '../../logical/visit.ts';
import { containsSubquery, usesOnlyOutputOf } from '../column-use.ts';
import { sameElements } from '../conjuncts.ts';
import type { Rule } from '../rule.ts';

function push(node: LogicalPlan): LogicalPlan {
  if (node.kind !== 'Filter' || node.input.kind !== 'TableScan') return node;
  const scan = node.input;
  // Told that nothing is to be read; there is nothing to add.
  if (scan.filter.some(isNeverTrue)) return node;
  const conjuncts = node.predicates.filter(
    (predicate) => !containsSubquery(predicate) && usesOnlyOutputOf(predicate, scan),
  );
  if (sameElements(conjuncts, scan.filter)) return node;
  // The very same objects: whoever reads the plan tells by them that the read knows a conjunct.
  return withFields(node, { input: withFields(scan, { filter: Object.freeze(conjuncts) }) });
}

export const pushFilterIntoScan: Rule = Object.freeze({
  name: 'push-filter-into-scan',
  apply: (plan: LogicalPlan) => transformPlan(plan, push),
});
