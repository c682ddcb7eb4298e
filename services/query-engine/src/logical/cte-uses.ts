/** Where the common table expressions of a statement are used. */
import type { LogicalPlan } from './plan.ts';
import { walkDeep } from './visit.ts';

/** How often each is named. */
export function countCteUses(root: LogicalPlan): Map<number, number> {
  const uses = new Map<number, number>();
  walkDeep(root, {
    plan: (node) => {
      if (node.kind === 'CteScan') uses.set(node.cteId, (uses.get(node.cteId) ?? 0) + 1);
    },
  });
  return uses;
}

/** Those that a step of a recursion names: written out there, they would be computed again with each step. */
export function ctesInSteps(root: LogicalPlan): ReadonlySet<number> {
  const found = new Set<number>();
  walkDeep(root, {
    plan: (node) => {
      if (node.kind === 'Recursion') for (const id of countCteUses(node.step).keys()) found.add(id);
    },
  });
  return found;
}
