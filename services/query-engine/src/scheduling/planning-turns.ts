/**
 * Turns of planning, on the process's one thread. A tenant's statements are planned one at a time, in slices; after each,
 * while other tenants are there, the thread is free for longer than the slice took, so that their key reads wait for a
 * step of one statement now and then, and not for all.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunSliced, Sliced } from './sliced-work.ts';
import { PLANNING_GAP_MS_MAX, PLANNING_GAP_SLICES, PLANNING_SLICE_MS, RETRY_AFTER_S } from '../limits.ts';
import { createFairQueue } from './fair-queue.ts';

/** Whose statement is planned. */
export interface PlanningTenant {
  readonly tenantId: string;
  readonly signal: AbortSignal;
}

export interface PlanningTurns {
  /** Tells that a statement of the tenant came: others leave it room for a while. */
  arrived(tenantId: string): void;
  /**
   * Runs `plan` when no other statement of the tenant is planned. Throws what it throws, or the signal's reason, and so
   * does what it is handed to run its steps with.
   */
  run<T>(tenant: PlanningTenant, plan: (inSlices: RunSliced) => Promise<T>): Promise<T>;
  /**
   * Runs steps in slices with the same room after each, but at once: those of a statement that has been planned, and may
   * hold what it read. Throws as `run` does.
   */
  runSpaced<T>(tenant: PlanningTenant, steps: Sliced<T>): Promise<T>;
}

/** For how long after its last statement a tenant counts as there, milliseconds. */
const PRESENCE_MS = 1_000;

async function runInSlices<T>(steps: Sliced<T>, signal: AbortSignal, isAlone: () => boolean): Promise<T> {
  for (;;) {
    if (signal.aborted) throw signal.reason;
    const started = performance.now();
    let step = steps.next();
    while (step.done !== true && performance.now() - started < PLANNING_SLICE_MS) step = steps.next();
    const tookMs = performance.now() - started;
    if (tookMs >= PLANNING_SLICE_MS)
      await sleep(isAlone() ? 0 : Math.min(tookMs * PLANNING_GAP_SLICES, PLANNING_GAP_MS_MAX));
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
  // In the order of their last statements.
  const lastMs = new Map<string, number>();
  const isAlone = (tenantId: string): boolean => {
    const since = performance.now() - PRESENCE_MS;
    for (const [other, ms] of lastMs) {
      if (ms < since) lastMs.delete(other);
      else if (other !== tenantId) return false;
    }
    return true;
  };
  const spaced = async <T>({ tenantId, signal }: PlanningTenant, steps: Sliced<T>): Promise<T> =>
    runInSlices(steps, signal, () => isAlone(tenantId));
  return {
    runSpaced: spaced,
    arrived(tenantId) {
      lastMs.delete(tenantId);
      lastMs.set(tenantId, performance.now());
    },
    async run({ tenantId, signal }, plan) {
      const leave = await queue.enter(tenantId, signal);
      try {
        return await plan((steps) => spaced({ tenantId, signal }, steps));
      } finally {
        leave();
      }
    },
  };
}
