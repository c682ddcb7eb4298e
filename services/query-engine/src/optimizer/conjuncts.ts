/** Lists of conjuncts: joined without repeats, put over a plan. */
import { FALSE_LITERAL, conjunctsOf, isNeverTrue } from '../logical/build-expression.ts';
import { filter } from '../logical/build-plan.ts';
import type { Expression } from '../logical/expression.ts';
import type { LogicalPlan } from '../logical/plan.ts';
import { structureNumbers } from '../logical/structure.ts';

export function sameElements<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((element, i) => element === b[i]);
}

/**
 * The conjuncts of all these conditions, each once, the first of those that are alike; only FALSE when one can never be
 * true. The same list when that is what it is.
 */
export function mergeConjuncts(conditions: readonly Expression[]): readonly Expression[] {
  const all = conditions.flatMap(conjunctsOf);
  if (all.some(isNeverTrue)) {
    return conditions.length === 1 && conditions[0] === FALSE_LITERAL ? conditions : [FALSE_LITERAL];
  }
  const merged = all.length < 2 ? all : distinctConjuncts(all);
  return sameElements(merged, conditions) ? conditions : Object.freeze(merged);
}

function distinctConjuncts(conjuncts: readonly Expression[]): readonly Expression[] {
  const structureOf = structureNumbers();
  const seen = new Set<number>();
  return conjuncts.filter((conjunct) => {
    const structure = structureOf(conjunct);
    if (seen.has(structure)) return false;
    seen.add(structure);
    return true;
  });
}

/** The plan with these conjuncts over it, joined with those of a Filter that it is. */
export function filterOver(plan: LogicalPlan, conjuncts: readonly Expression[]): LogicalPlan {
  if (conjuncts.length === 0) return plan;
  if (plan.kind !== 'Filter') return filter(plan, mergeConjuncts(conjuncts));
  const predicates = mergeConjuncts([...plan.predicates, ...conjuncts]);
  return sameElements(predicates, plan.predicates) ? plan : filter(plan.input, predicates);
}
