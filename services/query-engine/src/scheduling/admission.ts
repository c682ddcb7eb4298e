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
  /** Gives the place to others while the query waits for its reader. */
  rest(): void;
  /** Resolves once the query has a place again. Throws the signal's reason. */
  goOn(): Promise<void>;
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

/** How a query comes into its classes. */
interface Doors {
  readonly enterLong: () => Promise<Leave>;
  readonly enterAgain: (workloadClass: WorkloadClass) => Promise<Leave>;
}

class AdmittedPlace implements Place {
  workloadClass: WorkloadClass = 'short';
  /** Null: it has no place at the moment. */
  private held: Leave | null;
  private hasLeft = false;
  private readonly doors: Doors;
  private promoting: Promise<void> | null = null;
  /** Resolved once a query that rests goes on. */
  private resting: PromiseWithResolvers<void> | null = null;

  constructor(leaveShort: Leave, doors: Doors) {
    this.held = leaveShort;
    this.doors = doors;
  }

  promote(): Promise<void> {
    return (this.promoting ??= this.becomeLong());
  }

  rest(): void {
    if (this.hasLeft || this.resting !== null) return;
    this.resting = Promise.withResolvers();
    this.release();
  }

  async goOn(): Promise<void> {
    const { resting } = this;
    if (resting === null) return;
    this.hold(await this.doors.enterAgain(this.workloadClass));
    this.resting = null;
    resting.resolve();
  }

  leave(): void {
    this.hasLeft = true;
    this.release();
    this.resting?.resolve();
  }

  private release(): void {
    this.held?.();
    this.held = null;
  }

  /** Of two places that came to be its own, it keeps one. */
  private hold(leave: Leave): void {
    if (this.held !== null || this.hasLeft) leave();
    else this.held = leave;
  }

  private async becomeLong(): Promise<void> {
    this.workloadClass = 'long';
    this.release();
    // What rests works no further before it goes on, in the long class then.
    if (this.resting === null) {
      const leave = await this.doors.enterLong();
      if (this.resting === null) this.hold(leave);
      else leave();
    }
    await this.resting?.promise;
  }
}

export function createAdmission(bounds: Readonly<Record<WorkloadClass, FairQueueBounds>>): Admission {
  const queues = { short: createFairQueue(bounds.short), long: createFairQueue(bounds.long) };
  return {
    async enter(tenantId, signal) {
      const leaveShort = await queues.short.enter(tenantId, signal);
      return new AdmittedPlace(leaveShort, {
        enterLong: () => queues.long.enter(tenantId, signal),
        enterAgain: (workloadClass) => queues[workloadClass].enterAgain(tenantId, signal),
      });
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
