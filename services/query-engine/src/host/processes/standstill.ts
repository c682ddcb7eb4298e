/**
 * Whether a worker stands still. Its work record says which query has its thread, and counts its steps: one that goes from
 * nothing to the next has not left that query for as long. What it does outside of any query shows in that it answers a
 * tick.
 */
import type { WorkSeen } from '../../pipe/work-record.ts';
import { LOOK_MS, SILENT_MS_MAX, STUCK_MS_MAX, TICK_MS, WAITED_PER_WORKED } from '../limits.ts';

/** `still`: for so long, milliseconds as `look` counts them. `stuck`: for too long. */
export type Standstill =
  | { readonly kind: 'none' }
  | { readonly kind: 'still'; readonly ms: number }
  | { readonly kind: 'stuck' };

export interface StandstillWatch {
  /**
   * To be called every LOOK_MS. `workedMs`: what its thread has worked so far, which is what counts: on a busy machine a
   * thread stands still without a fault of the query. Where that is not known (null), or the thread waits for something, it
   * is a part of the time that has passed.
   */
  look(seen: Pick<WorkSeen, 'steps' | 'holder'>, workedMs: number | null): Standstill;
  /** True where it is time for a tick, which counts as sent then. */
  isTickDue(): boolean;
  /** A tick was answered. Answers after how long, milliseconds. */
  answered(): number;
}

const NONE: Standstill = Object.freeze({ kind: 'none' });

export function createStandstillWatch(now: () => number = () => performance.now()): StandstillWatch {
  let askedAt: number | null = null;
  let lastAskedAt = -Infinity;
  let stillSince = 0;
  let workedSince = 0;
  let lastSteps = -1;
  let lastLook = -Infinity;

  return {
    isTickDue() {
      if (askedAt !== null || now() - lastAskedAt < TICK_MS) return false;
      askedAt = lastAskedAt = now();
      return true;
    },
    answered() {
      const ms = askedAt === null ? 0 : now() - askedAt;
      askedAt = null;
      return ms;
    },
    look({ steps, holder }, workedMs) {
      const at = now();
      // Where this process itself stood still, nobody knows of the other.
      const lateMs = Math.max(0, at - lastLook - 2 * LOOK_MS);
      lastLook = at;
      if (askedAt !== null) askedAt += lateMs;
      stillSince += lateMs;
      if (steps !== lastSteps || holder === 0) {
        lastSteps = steps;
        stillSince = at;
        workedSince = workedMs ?? 0;
      }
      const ms = Math.max(
        workedMs === null ? 0 : workedMs - workedSince,
        (at - stillSince) / WAITED_PER_WORKED,
      );
      if (ms >= STUCK_MS_MAX || (askedAt !== null && at - askedAt >= SILENT_MS_MAX)) return { kind: 'stuck' };
      return at === stillSince ? NONE : { kind: 'still', ms };
    },
  };
}
