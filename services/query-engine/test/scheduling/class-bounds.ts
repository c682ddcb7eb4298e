import type { RunningPlace, WorkloadClass } from '../../src/scheduling/admission.ts';
import type { FairQueueBounds } from '../../src/scheduling/fair-queue.ts';

/** Bounds of both workload classes, as few or as many as a test wants. */
export function classBounds(
  short: Partial<FairQueueBounds> = {},
  long: Partial<FairQueueBounds> = {},
): Readonly<Record<WorkloadClass, FairQueueBounds>> {
  const plenty = { places: 16, perTenant: 16, waiting: 100, retryAfterS: 1 };
  return { short: { ...plenty, ...short }, long: { ...plenty, ...long } };
}

/** Of a query that may read as much as it likes. */
export const SHORT_PLACE: RunningPlace = Object.freeze({
  workloadClass: 'short',
  promote: async () => undefined,
});
