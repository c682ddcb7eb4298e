/** What planning a statement gave. */
import type { Problem } from '../../../net/outcome.ts';
import type { PlanNode } from '../plan/parse-plan.ts';

export interface Planned {
  readonly sql: string;
  readonly tree: PlanNode | null;
  readonly text: string;
  /** Read units that it will probably cost; null where the engine does not say. */
  readonly units: { readonly low: number; readonly high: number } | null;
  readonly warnings: readonly string[];
}

export type PlanState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'planned'; readonly plan: Planned }
  | { readonly kind: 'wrong'; readonly sql: string; readonly problem: Problem };
