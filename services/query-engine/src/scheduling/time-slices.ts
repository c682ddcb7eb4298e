/**
 * Turns on the process's one thread. Everything that a long query does there comes in slices; between two of them, the
 * event loop looks after sockets and timers, so that a key read waits for a slice and not for a page. Tenants take turns.
 */
import type { RunSliced, Sliced } from './sliced-work.ts';

export interface TimeSlices {
  /** Runs work when it is the tenant's turn, one piece of work of a tenant after the other. */
  run<T>(tenantId: string, work: Sliced<T>): Promise<T>;
}

interface Work {
  /** Does a slice; true when it was the last. */
  step(): boolean;
}

function workOf<T>(work: Sliced<T>, resolve: (value: T) => void, reject: (reason: unknown) => void): Work {
  return {
    step() {
      try {
        const { done, value } = work.next();
        if (done === true) resolve(value);
        return done === true;
      } catch (error) {
        reject(error);
        return true;
      }
    },
  };
}

export interface TimeSliceOptions {
  /** After this long at work, the event loop has its turn. */
  readonly sliceMs: number;
  /** Between two turns while others have priority: their next steps find the thread free. */
  readonly gapMs: number;
  readonly haveOthersPriority: () => boolean;
}

export function createTimeSlices({ sliceMs, gapMs, haveOthersPriority }: TimeSliceOptions): TimeSlices {
  /** In the order of their turns. */
  const tenants = new Map<string, Work[]>();
  let isScheduled = false;
  let lastTurnAt = -Infinity;

  const schedule = (): void => {
    if (isScheduled || tenants.size === 0) return;
    isScheduled = true;
    setImmediate(takeTurn);
  };
  const takeTurn = (): void => {
    const started = performance.now();
    const leftMs = lastTurnAt + gapMs - started;
    if (leftMs > 0 && haveOthersPriority()) {
      setTimeout(takeTurn, leftMs);
      return;
    }
    isScheduled = false;
    for (const [tenantId, queue] of tenants) {
      // To the end of the line, or away.
      tenants.delete(tenantId);
      while (queue.length > 0 && performance.now() - started < sliceMs) {
        if (queue[0]?.step() === true) queue.shift();
      }
      if (queue.length > 0) tenants.set(tenantId, queue);
      if (performance.now() - started >= sliceMs) break;
    }
    lastTurnAt = performance.now();
    schedule();
  };

  return {
    run: (tenantId, work) =>
      new Promise((resolve, reject) => {
        const queue = tenants.get(tenantId) ?? [];
        tenants.set(tenantId, queue);
        queue.push(workOf(work, resolve, reject));
        schedule();
      }),
  };
}

/** A moment for others. */
export async function giveWay(run: RunSliced): Promise<void> {
  await run(nothing());
}

function* nothing(): Sliced<void> {
  yield;
}
