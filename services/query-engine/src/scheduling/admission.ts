/**
 * Which queries may run. There are two workload classes, so that a key read never waits for a scan to end: queries are
 * planned as short ones, and those that turn out to be long are promoted. In both classes tenants share the places.
 */
import { createFairQueue, type FairQueueBounds } from './fair-queue.ts';

export type WorkloadClass = 'short' | 'long';

/** A query's place as the query has it, in the short class at first. */
export interface RunningPlace {
  readonly workloadClass: WorkloadClass;
  /**
   * Leaves the short class and resolves with a place in the long one, whoever of the query asks and how often. Throws as
   * `enter` does.
   */
  promote(): Promise<void>;
}

export interface Place extends RunningPlace {
  /** Once the query has ended. */
  leave(): void;
}

export interface Admission {
  /** Throws UNAVAILABLE when too many wait already, or the signal's reason; so does `promote`. */
  enter(tenantId: string, signal: AbortSignal): Promise<Place>;
  /** In both classes. */
  readonly running: number;
  readonly waiting: number;
  /** Running in the short class. */
  readonly runningShort: number;
}

export function createAdmission(bounds: Readonly<Record<WorkloadClass, FairQueueBounds>>): Admission {
  const queues = { short: createFairQueue(bounds.short), long: createFairQueue(bounds.long) };
  return {
    async enter(tenantId, signal) {
      let workloadClass: WorkloadClass = 'short';
      let leave = await queues.short.enter(tenantId, signal);
      let promoting: Promise<void> | null = null;
      const promote = async (): Promise<void> => {
        workloadClass = 'long';
        leave();
        leave = await queues.long.enter(tenantId, signal);
      };
      return {
        get workloadClass() {
          return workloadClass;
        },
        promote: () => (promoting ??= promote()),
        leave: () => leave(),
      };
    },
    get running() {
      return queues.short.taken + queues.long.taken;
    },
    get waiting() {
      return queues.short.waiting + queues.long.waiting;
    },
    get runningShort() {
      return queues.short.taken;
    },
  };
}
