import type { LogicalPlan } from './plan.ts';

/** Which rows of the outermost result are wanted. */
export interface RowWindow {
  readonly offset: number;
  readonly count: number;
}

/**
 * The outermost Limit, taken apart, to be joined with the page's own: a Limit over a Limit is one, and neither Project
 * nor With changes how many rows there are, or their order. Only where the rest is written as one SELECT, though: in a
 * nested one, its order would be lost, and with it which rows the limit takes.
 */
export function limitsOf(plan: LogicalPlan): { input: LogicalPlan; count: number | null; offset: number } {
  if (plan.kind === 'Limit') {
    const { input, count, offset } = limitsOf(plan.input);
    const left = count === null ? null : Math.max(count - plan.offset, 0);
    const merged = left === null ? plan.count : Math.min(left, plan.count ?? Infinity);
    return { input, count: merged, offset: offset + plan.offset };
  }
  if (plan.kind === 'Project') {
    const limits = limitsOf(plan.input);
    const isOneSelect = limits.input.kind !== 'Project' && limits.input.kind !== 'With';
    if (limits.input === plan.input || !isOneSelect) return { input: plan, count: null, offset: 0 };
    return { ...limits, input: { ...plan, input: limits.input } };
  }
  if (plan.kind === 'With') {
    const limits = limitsOf(plan.body);
    if (limits.input === plan.body || limits.input.kind === 'With')
      return { input: plan, count: null, offset: 0 };
    return { ...limits, input: { ...plan, body: limits.input } };
  }
  return { input: plan, count: null, offset: 0 };
}
