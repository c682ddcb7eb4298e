/** How much of the process a query may take at a time: short ones what they need, long ones their turns. */
import type { ReadBatch } from '../dynamodb/read-table.ts';
import type { UnitMeter } from '../dynamodb/read-context.ts';
import { runInOneGo, type RunSliced } from '../scheduling/sliced-work.ts';
import { PRIORITY_WINDOW_MS_MAX, PAGES_IN_FLIGHT, RETRY_AFTER_S, SLICE_GAP_MS, SLICE_MS } from '../limits.ts';
import type { Admission, RunningPlace } from '../scheduling/admission.ts';
import { createFairQueue, type FairQueue } from '../scheduling/fair-queue.ts';
import { createPriorityWindow } from '../scheduling/priority-window.ts';
import { readsTooMuch } from './workload-class.ts';
import { createTimeSlices } from '../scheduling/time-slices.ts';

/** A query's. */
export interface ThreadShare {
  readonly runSliced: RunSliced;
  /** Before a statement is given to DuckDB: answers what to call once it is done. Throws the signal's reason. */
  readonly enterStatement: (signal: AbortSignal) => Promise<() => void>;
  /** Before a page is asked for: answers what to call once it is decoded. Throws the signal's reason. */
  readonly enterPage: (signal: AbortSignal) => Promise<() => void>;
  /** The batches of a read; the query is promoted as soon as the meter says that it has read too much for a short one. */
  readonly whileShort: (batches: AsyncIterable<ReadBatch>, meter: UnitMeter) => AsyncGenerator<ReadBatch>;
}

/** A process's. */
export interface ThreadShares {
  of(tenantId: string, place: RunningPlace): ThreadShare;
}

const nothing = (): void => undefined;

/**
 * Places for what running queries do, shared as admission shares theirs. Who waits is bounded by the queries that run,
 * and by what each does at a time.
 */
function placesFor(places: number, tenantSharePercent: number): FairQueue {
  const perTenant = Math.max(1, Math.floor((places * tenantSharePercent) / 100));
  return createFairQueue({ places, perTenant, waiting: Infinity, retryAfterS: RETRY_AFTER_S });
}

/** Enters one queue after the other; what it resolves with leaves both. */
async function enterBoth(
  first: FairQueue,
  second: FairQueue,
  tenantId: string,
  signal: AbortSignal,
): Promise<() => void> {
  const leaveFirst = await first.enter(tenantId, signal);
  try {
    const leaveSecond = await second.enter(tenantId, signal);
    return () => {
      leaveSecond();
      leaveFirst();
    };
  } catch (error) {
    leaveFirst();
    throw error;
  }
}

/** Not a closure: V8 would make it, and whoever takes its batches, anew for each query. */
async function* promoting(
  batches: AsyncIterable<ReadBatch>,
  meter: UnitMeter,
  place: RunningPlace,
): AsyncGenerator<ReadBatch> {
  for await (const batch of batches) {
    if (place.workloadClass === 'short' && readsTooMuch(meter.halfUnits)) await place.promote();
    yield batch;
  }
}

export interface ThreadSharesOptions {
  /**
   * Threads of libuv's pool, which run DuckDB's statements and also check every token's signature. Statements have all
   * but one of them, long ones half: one in each would stop the whole process until the first of them ends. Short ones
   * too take part, since DuckDB cannot be interrupted inside of some functions.
   */
  readonly poolThreads: number;
  /** What one tenant may have of the statements, and of the pages of long queries, percent. */
  readonly tenantSharePercent: number;
  readonly admission: Pick<Admission, 'runningShort'>;
}

export function createThreadShares({
  poolThreads,
  tenantSharePercent,
  admission,
}: ThreadSharesOptions): ThreadShares {
  const priority = createPriorityWindow(PRIORITY_WINDOW_MS_MAX, () => admission.runningShort > 0);
  const slices = createTimeSlices({
    sliceMs: SLICE_MS,
    gapMs: SLICE_GAP_MS,
    haveOthersPriority: () => priority.isOpen(),
  });
  const pages = placesFor(PAGES_IN_FLIGHT, tenantSharePercent);
  const statements = placesFor(Math.max(1, poolThreads - 1), tenantSharePercent);
  const longStatements = placesFor(Math.max(1, Math.floor(poolThreads / 2)), tenantSharePercent);
  const shareOf = (tenantId: string, place: RunningPlace): ThreadShare => ({
    runSliced: (work) => (place.workloadClass === 'short' ? runInOneGo(work) : slices.run(tenantId, work)),
    enterStatement: (signal) =>
      place.workloadClass === 'short'
        ? statements.enter(tenantId, signal)
        : enterBoth(longStatements, statements, tenantId, signal),
    enterPage: async (signal) => (place.workloadClass === 'short' ? nothing : pages.enter(tenantId, signal)),
    whileShort: (batches, meter) => promoting(batches, meter, place),
  });
  return {
    of(tenantId, place) {
      if (place.workloadClass === 'short') priority.start();
      return shareOf(tenantId, place);
    },
  };
}
