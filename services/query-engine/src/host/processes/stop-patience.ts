/** How long a worker is waited for that was told to stop a query. */
import { STOP_STARVED_MS_MAX, STOP_WORKED_MS_MIN } from '../limits.ts';

export interface StopPatience {
  /**
   * Whether the worker had so little of a processor since it was last asked that it could not stop: on a busy machine DuckDB's
   * threads, which let all others go first, may get none.
   */
  isToWait(): boolean;
}

/** `readCpuMs`: what the worker has worked so far; null where the system does not tell. */
export function stopPatience(
  readCpuMs: () => number | null,
  now: () => number = () => performance.now(),
): StopPatience {
  const startedMs = now();
  let before = readCpuMs();
  return {
    isToWait() {
      const worked = readCpuMs();
      const isStarved = before !== null && worked !== null && worked - before < STOP_WORKED_MS_MIN;
      before = worked;
      return isStarved && now() - startedMs < STOP_STARVED_MS_MAX;
    },
  };
}
