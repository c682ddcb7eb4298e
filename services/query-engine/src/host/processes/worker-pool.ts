/** The workers of a host: so many that take queries, one that waits to take the place of another, one kept for offenders. */
import type { WorkerProcess, Death } from './worker-types.ts';
import { RESTART_MS_MAX, RESTART_MS_MIN } from '../limits.ts';
import { createHomes } from './homes.ts';
import { createChoose, type Asked, type PlacementOptions } from './placement.ts';

/** What is to be placed. */
export interface Placing extends Asked {
  /** In the worker that is kept for tenants whose statements ended others. */
  readonly isApart: boolean;
  /** Not there, where there is another. */
  readonly besides: WorkerProcess | null;
}

export interface PoolEvents {
  onReady(): void;
  /** It stood still, and does no more. */
  onGoingOn(): void;
  hasOther(): boolean;
  /** It is of no more use; its process is still there. */
  onKilled(): void;
  onDeath(death: Death): void;
}

export interface WorkerPoolOptions extends PlacementOptions {
  readonly places: number;
  /** Starts a worker, which `givesWay` to all others where it is for offenders; its events go to what it is handed. */
  readonly start: (id: number, givesWay: boolean, events: PoolEvents) => WorkerProcess;
}

export interface WorkerPool {
  /** The worker for a query, once there is one. Throws the signal's reason. */
  place(placing: Placing, signal: AbortSignal): Promise<WorkerProcess>;
  /** The same where nobody has to wait; null otherwise. */
  placeNow(placing: Placing): WorkerProcess | null;
  /** All that there are, by what they are for. */
  readonly workers: readonly { readonly worker: WorkerProcess; readonly role: 'place' | 'spare' | 'apart' }[];
  /** Resolves when every place has a worker that is ready. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export function createWorkerPool({ places, start, ...placement }: WorkerPoolOptions): WorkerPool {
  const homesOf = createHomes(places);
  const choose = createChoose(placement);
  const placed: (WorkerProcess | null)[] = Array.from({ length: places }, () => null);
  /** What the workers before worked for whom, by place. */
  const lost = new Map<number, WorkerProcess['work']>();
  /** All whose processes are there, those that are being killed too. */
  const running = new Set<WorkerProcess>();
  let spare: WorkerProcess | null = null;
  let apart: WorkerProcess | null = null;
  let wantsApart = false;
  let lastId = 0;
  let failures = 0;
  let isClosed = false;
  let waiters: (() => void)[] = [];

  const wake = (): void => {
    const woken = waiters;
    waiters = [];
    for (const wakeUp of woken) wakeUp();
  };
  const starts = (givesWay = false): WorkerProcess => {
    const id = ++lastId;
    const worker: WorkerProcess = start(id, givesWay, {
      onReady() {
        failures = 0;
        fill();
        wake();
      },
      onGoingOn: wake,
      hasOther: () => placed.some((other) => other !== worker && other?.state === 'ready'),
      onKilled() {
        remove(worker);
        if (failures === 0) fill();
        wake();
      },
      onDeath(death) {
        running.delete(worker);
        if (!death.wasReady) failures++;
        remove(worker);
        if (isClosed) return;
        const waitMs = failures === 0 ? 0 : Math.min(RESTART_MS_MIN * 2 ** (failures - 1), RESTART_MS_MAX);
        if (waitMs === 0) fill();
        else setTimeout(fill, waitMs).unref();
        wake();
      },
    });
    running.add(worker);
    return worker;
  };
  const remove = (worker: WorkerProcess): void => {
    placed.forEach((each, place) => {
      if (each !== worker) return;
      placed[place] = null;
      lost.set(place, worker.work);
    });
    if (spare === worker) spare = null;
    if (apart === worker) apart = null;
  };
  const takeSpare = (): WorkerProcess => {
    const taken = spare ?? starts();
    spare = null;
    return taken;
  };
  const isReady = (worker: WorkerProcess | null): worker is WorkerProcess =>
    worker?.state === 'ready' || worker?.state === 'still';
  /** Every place has a worker; a spare is started once they are ready: it should not take their time. */
  const fill = (): void => {
    if (isClosed) return;
    placed.forEach((worker, place) => {
      if (worker !== null) return;
      const next = takeSpare();
      const before = lost.get(place);
      if (before !== undefined) next.takeOver(before);
      placed[place] = next;
    });
    // Never the spare: who has ended workers waits for the next one, and nobody for him.
    if (wantsApart && apart === null) apart = starts(true);
    if (spare === null && placed.every(isReady)) spare = starts();
  };

  const best = (placing: Placing): WorkerProcess | null => {
    const ready = homesOf(placing.tenantId).flatMap((place) => {
      const worker = placed[place];
      return worker?.state === 'ready' ? [worker] : [];
    });
    const others = ready.filter((worker) => worker !== placing.besides);
    return choose(others.length > 0 ? others : ready, placing);
  };
  const placeNow = (placing: Placing): WorkerProcess | null => {
    if (!placing.isApart) return best(placing);
    if (!wantsApart) {
      wantsApart = true;
      fill();
    }
    return apart?.state === 'ready' ? apart : null;
  };
  const change = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => {
        waiters = waiters.filter((each) => each !== wakeUp);
        reject(signal.reason as Error);
      };
      const wakeUp = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      signal.addEventListener('abort', giveUp, { once: true });
      waiters.push(wakeUp);
    });

  fill();
  return {
    placeNow,
    async place(placing, signal) {
      for (;;) {
        const worker = placeNow(placing);
        if (worker !== null) return worker;
        await change(signal);
      }
    },
    get workers() {
      return [
        ...placed.flatMap((worker) => (worker === null ? [] : [{ worker, role: 'place' } as const])),
        ...(spare === null ? [] : [{ worker: spare, role: 'spare' } as const]),
        ...(apart === null ? [] : [{ worker: apart, role: 'apart' } as const]),
      ];
    },
    async ready() {
      while (!placed.every(isReady)) await new Promise<void>((resolve) => waiters.push(resolve));
    },
    async close() {
      isClosed = true;
      await Promise.all([...running].map((worker) => worker.close()));
    },
  };
}
