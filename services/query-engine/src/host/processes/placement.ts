/** Which of the workers that are ready a query goes to. */
import { HOME_LOAD_FACTOR, OTHERS_PRESENT_MS, SLOW_TENANT_MS } from '../limits.ts';

/** What counts of a worker. */
export interface Placeable {
  readonly load: { readonly short: number; readonly long: number };
  /** What it has worked lately for the tenant, where that took long; milliseconds. */
  workFor(tenantId: string): number;
  /** The most that it has worked so for any other. */
  workForOthers(tenantId: string): number;
  hasRoom(): boolean;
}

export interface PlacementOptions {
  /** What one tenant may have of the workers while others are there, percent. */
  readonly tenantSharePercent: number;
}

/** What is to be placed. */
export interface Asked {
  readonly tenantId: string;
  readonly isLong: boolean;
}

/** `inOrder`: the workers in the order in which the tenant wants them. Null where there is none. */
export type Choose = <Worker extends Placeable>(inOrder: readonly Worker[], asked: Asked) => Worker | null;

/**
 * A tenant whose queries take long stays in the workers that it has made busy, no more than its share of all; the others
 * keep out of them. So what its statements do to a worker's thread, other tenants feel only where there are more such
 * tenants than workers. As long as nobody else is there, a tenant may have all workers.
 */
export function createChoose(
  { tenantSharePercent }: PlacementOptions,
  now: () => number = () => performance.now(),
): Choose {
  const isAnotherThere = createPresence(now);
  return (inOrder, { tenantId, isLong }) => {
    const areOthersThere = isAnotherThere(tenantId);
    if (inOrder.length < 2) return inOrder[0] ?? null;
    const isSlow = inOrder.reduce((sum, worker) => sum + worker.workFor(tenantId), 0) >= SLOW_TENANT_MS;
    const among = isSlow
      ? areOthersThere
        ? ownMost(inOrder, tenantId, Math.max(1, Math.floor((inOrder.length * tenantSharePercent) / 100)))
        : inOrder
      : preferred(inOrder, (worker) => worker.workForOthers(tenantId) < SLOW_TENANT_MS);
    if (isLong)
      return preferred(among, (worker) => worker.hasRoom()).reduce((least, worker) =>
        worker.load.long < least.load.long ? worker : least,
      );
    const running = among.reduce((sum, { load }) => sum + load.short, 1);
    const share = Math.ceil((HOME_LOAD_FACTOR * running) / among.length);
    return among.find(({ load }) => load.short < share) ?? among[0] ?? null;
  };
}

/** Those that are as wanted; all where there are none. */
function preferred<Worker>(workers: readonly Worker[], isWanted: (worker: Worker) => boolean) {
  const wanted = workers.filter(isWanted);
  return wanted.length > 0 ? wanted : workers;
}

/** So many of the workers: those that have worked most for the tenant and least for others, in the order that they were in. */
function ownMost<Worker extends Placeable>(workers: readonly Worker[], tenantId: string, count: number) {
  const ranks = workers.map((worker) => worker.workFor(tenantId) - worker.workForOthers(tenantId));
  const least = ranks.toSorted((a, b) => b - a)[count - 1] ?? 0;
  return workers.filter((_, i) => (ranks[i] ?? 0) >= least).slice(0, count);
}

/** Tells of each asker whether another tenant has asked lately. */
function createPresence(now: () => number): (tenantId: string) => boolean {
  let last = { tenantId: '', at: -Infinity };
  let lastOther = last;
  return (tenantId) => {
    const at = now();
    if (last.tenantId !== tenantId) lastOther = last;
    last = { tenantId, at };
    return at - lastOther.at < OTHERS_PRESENT_MS;
  };
}
