/**
 * Turns of planning, on the process's one thread. A tenant's statements are planned one at a time, in slices; after each,
 * the thread is free for a while, so that another tenant's key read waits for a step of one statement and not for all.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { PLANNING_GAP_MS_MAX, PLANNING_SLICE_MS, RETRY_AFTER_S } from '../limits.ts';
import { createFairQueue } from './fair-queue.ts';

/** Whose statement is planned. */
export interface PlanningTenant {
  readonly tenantId: string;
  readonly signal: AbortSignal;
}

/** Runs what yields where others may have their turn. Throws what it throws, or the signal's reason. */
export type InSlices = <T>(steps: Generator<void, T>) => Promise<T>;

export interface PlanningTurns {
  /** Runs `plan` when no other statement of the tenant is planned. Throws what it throws, or the signal's reason. */
  run<T>(tenant: PlanningTenant, plan: (inSlices: InSlices) => Promise<T>): Promise<T>;
}

async function runInSlices<T>(steps: Generator<void, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    if (signal.aborted) throw signal.reason;
    const started = performance.now();
    let step = steps.next();
    while (step.done !== true && performance.now() - started < PLANNING_SLICE_MS) step = steps.next();
    const tookMs = performance.now() - started;
    if (tookMs >= PLANNING_SLICE_MS) await sleep(Math.min(tookMs, PLANNING_GAP_MS_MAX));
    if (step.done === true) return step.value;
  }
}

export function createPlanningTurns(): PlanningTurns {
  // Who waits is bounded by admission.
  const queue = createFairQueue({
    places: Infinity,
    perTenant: 1,
    waiting: Infinity,
    retryAfterS: RETRY_AFTER_S,
  });
  return {
    async run({ tenantId, signal }, plan) {
      const leave = await queue.enter(tenantId, signal);
      try {
        return await plan((steps) => runInSlices(steps, signal));
      } finally {
        leave();
      }
    },
  };
}
