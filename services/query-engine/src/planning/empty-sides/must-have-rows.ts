/** Which parts of a plan must have rows for the plan to have any. */
import { remembered } from '@penstock/common/caching/remembered.ts';
import type { Cte, Join, LogicalPlan } from '../../logical/plan.ts';
import { walkDeep } from '../../logical/visit.ts';
import { isClosed, withItsCtes } from '../dynamic-filters/build-side.ts';

/**
 * Parts of the plan: where one of them has no rows, the plan has none. Each can be computed on its own, and quickly; the plan
 * itself is among them where it may be emptier than its parts. `ctes`: those that the plan may name.
 */
export function partsThatMustHaveRows(plan: LogicalPlan, ctes: readonly Cte[]): readonly LogicalPlan[] {
  return partsOf(plan, ctes).filter((part) => isClosed(part) && isQuick(part));
}

const hasEquality = ({ on }: Join): boolean =>
  on.some((conjunct) => conjunct.kind === 'Comparison' && conjunct.operator === '=');

/** Whether no join in it compares each row with each. */
const isQuick = remembered((part: LogicalPlan): boolean => {
  let quick = true;
  walkDeep(part, {
    plan: (node) => {
      if (node.kind === 'Join' && !hasEquality(node)) quick = false;
      if (node.kind === 'Recursion') quick = false;
    },
  });
  return quick;
});

function partsOf(plan: LogicalPlan, ctes: readonly Cte[]): readonly LogicalPlan[] {
  const parts = (input: LogicalPlan): readonly LogicalPlan[] => partsOf(input, ctes);
  const own = (): LogicalPlan => withItsCtes(plan, ctes);
  switch (plan.kind) {
    case 'TableScan':
    case 'CteScan':
      return [own()];
    case 'Filter':
      // What passes tells more than what is there, and takes the same reads.
      return plan.input.kind === 'TableScan' ? [own()] : [own(), ...parts(plan.input)];
    case 'Project':
    case 'Sort':
    case 'Distinct':
    case 'Window':
    case 'Limit':
      return parts(plan.input);
    case 'Unnest':
      return plan.outer ? parts(plan.input) : [own(), ...parts(plan.input)];
    case 'Aggregate':
      // Without groups there is a row whatever there was; a set of none of the groups gives one too.
      return plan.groupBy.length === 0 || plan.groupingSets !== null ? [] : parts(plan.input);
    case 'Join':
      switch (plan.join) {
        case 'inner':
        case 'cross':
          return [own(), ...parts(plan.left), ...parts(plan.right)];
        case 'left':
          return parts(plan.left);
        case 'right':
          return parts(plan.right);
        case 'full':
          return [];
      }
    case 'SetOperation':
      if (plan.operator === 'union') return [own()];
      if (plan.operator === 'except') return [own(), ...parts(plan.left)];
      return [own(), ...parts(plan.left), ...parts(plan.right)];
    case 'With':
      return partsOf(plan.body, [...ctes, ...plan.ctes]);
    case 'Values':
    case 'Series':
    case 'Recursion':
    case 'RecursionScan':
      return [];
  }
}
