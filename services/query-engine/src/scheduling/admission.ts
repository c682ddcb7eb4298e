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

type Leave = () => void;

class AdmittedPlace implements Place {
  workloadClass: WorkloadClass = 'short';
  private leaveQueue: Leave;
  private readonly enterLong: () => Promise<Leave>;
  private promoting: Promise<void> | null = null;

  constructor(leaveShort: Leave, enterLong: () => Promise<Leave>) {
    this.leaveQueue = leaveShort;
    this.enterLong = enterLong;
  }

  promote(): Promise<void> {
    return (this.promoting ??= this.becomeLong());
  }

  leave(): void {
    this.leaveQueue();
  }

  private async becomeLong(): Promise<void> {
    this.workloadClass = 'long';
    this.leaveQueue();
    this.leaveQueue = await this.enterLong();
  }
}

export function createAdmission(bounds: Readonly<Record<WorkloadClass, FairQueueBounds>>): Admission {
  const queues = { short: createFairQueue(bounds.short), long: createFairQueue(bounds.long) };
  return {
    async enter(tenantId, signal) {
      const leaveShort = await queues.short.enter(tenantId, signal);
      return new AdmittedPlace(leaveShort, () => queues.long.enter(tenantId, signal));
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
