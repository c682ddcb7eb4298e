/** Plans whose reader says how many rows it wants. */
import type { PhysicalPlan } from './physical-plan.ts';

/** Without pages that are asked for ahead, where rows go out as they come in. What is computed from all rows needs them all. */
export function pacedPlan(plan: PhysicalPlan): PhysicalPlan {
  if (plan.execution.kind === 'full') return plan;
  return { ...plan, reads: plan.reads.map((read) => ({ ...read, prefetch: false })) };
}
