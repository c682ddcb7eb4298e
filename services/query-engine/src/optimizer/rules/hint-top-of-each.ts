/**
 * Where only the first rows of each group are wanted, the scan below is told: reading by a key that has the order may end
 * after so many items of each partition. The rows that are read go through the same as before.
 */
import type { LogicalPlan } from '../../logical/plan.ts';
import { transformPlan } from '../../logical/visit.ts';
import type { Rule } from '../rule.ts';
import { topOfDistinctOn } from '../top-of-each/of-distinct-on.ts';
import { topOfExtremes } from '../top-of-each/of-extremes.ts';
import { topOfLimit } from '../top-of-each/of-limit.ts';
import { topOfRank } from '../top-of-each/of-rank.ts';

function hint(node: LogicalPlan): LogicalPlan {
  switch (node.kind) {
    case 'Aggregate':
      return topOfExtremes(node);
    case 'Filter':
      return topOfRank(node);
    case 'Distinct':
      return topOfDistinctOn(node);
    case 'Limit':
      return topOfLimit(node);
    default:
      return node;
  }
}

export const hintTopOfEach: Rule = Object.freeze({
  name: 'hint-top-of-each',
  apply: (plan: LogicalPlan) => transformPlan(plan, hint),
});
