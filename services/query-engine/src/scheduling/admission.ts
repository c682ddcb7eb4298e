/**
 * Which queries may run. There are two lanes, so that a key read never waits for a scan to end: queries are planned in
 * the short one, and those that turn out to be long go on in the other. In both, tenants share the places.
 */
import { createFairQueue, type FairQueueBounds } from './fair-queue.ts';

export type Lane = 'short' | 'long';

/** A query's place, in the short lane at first. */
export interface Place {
  readonly lane: Lane;
  /**
   * Leaves the short lane and resolves with a place in the long one, whoever of the query asks and how often. Throws as
   * `enter` does.
   */
  goLong(): Promise<void>;
  /** Once the query has ended. */
  leave(): void;
}

export interface Admission {
  /** Throws UNAVAILABLE when too many wait already, or the signal's reason; so does `goLong`. */
  enter(tenantId: string, signal: AbortSignal): Promise<Place>;
  /** In both lanes. */
  readonly running: number;
  readonly waiting: number;
  /** Running in the short lane. */
  readonly runningShort: number;
}

export function createAdmission(bounds: Readonly<Record<Lane, FairQueueBounds>>): Admission {
  const lanes = { short: createFairQueue(bounds.short), long: createFairQueue(bounds.long) };
  return {
    async enter(tenantId, signal) {
      let lane: Lane = 'short';
      let leave = await lanes.short.enter(tenantId, signal);
      let going: Promise<void> | null = null;
      const goLong = async (): Promise<void> => {
        lane = 'long';
        leave();
        leave = await lanes.long.enter(tenantId, signal);
      };
      return {
        get lane() {
          return lane;
        },
        goLong: () => (going ??= goLong()),
        leave: () => leave(),
      };
    },
    get running() {
      return lanes.short.taken + lanes.long.taken;
    },
    get waiting() {
      return lanes.short.waiting + lanes.long.waiting;
    },
    get runningShort() {
      return lanes.short.taken;
    },
  };
}
