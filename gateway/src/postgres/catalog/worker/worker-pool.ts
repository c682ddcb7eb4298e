/** Shares a few worker processes among all tenants: each has one at a time, and they take turns. */
import { PgError } from '../../errors/pg-error.ts';
import {
  CATALOG_OFFENSE_MS,
  CATALOG_TENANT_WAITING_MAX,
  CATALOG_WAITING_MAX,
  CATALOG_WORKERS_MAX,
  CATALOG_WORKER_IDLE_MS,
} from '../limits.ts';
import type { Answer } from './messages.ts';
import { startWorker, WorkerGone, WorkerLost, type Task, type WorkerProcess } from './worker-process.ts';

export interface WorkerPool {
  /** Rejects as `WorkerProcess.perform` does, and with 53400 or 53300 where there is no place. */
  readonly perform: (task: Task) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

interface Waiting {
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** One worker was gone before it took the statement up. */
  readonly isSentAgain: boolean;
}

interface Place {
  worker: WorkerProcess;
  isBusy: boolean;
  idle?: NodeJS.Timeout;
}

const tooMany = (): PgError =>
  new PgError({
    code: '53300',
    message: 'Too many statements over system catalogs wait already',
    hint: 'Try again in a second.',
  });

const suspended = (seconds: number): PgError =>
  new PgError({
    code: '53400',
    message: `A statement over system catalogs had to be ended: the next is taken in ${seconds} s`,
    hint: 'Ask for less at a time: fewer joins, or a condition on schema and table.',
  });

export function createWorkerPool(): WorkerPool {
  const places: Place[] = [];
  /** By tenant, in the order of their turns. */
  const queues = new Map<string, Waiting[]>();
  const running = new Set<string>();
  /** Until when a tenant waits that ended a worker. */
  const offenders = new Map<string, number>();
  let waitingCount = 0;
  let isClosed = false;

  const remove = (place: Place): void => {
    clearTimeout(place.idle);
    const at = places.indexOf(place);
    if (at >= 0) places.splice(at, 1);
  };

  const open = (): Place => {
    const place: Place = { worker: startWorker(), isBusy: false };
    places.push(place);
    void place.worker.ended.then(() => {
      remove(place);
      if (!isClosed) dispatch();
    });
    return place;
  };

  const freePlace = (): Place | null => {
    const free = places.find(({ isBusy, worker }) => !isBusy && worker.isUsable());
    if (free !== undefined) return free;
    // One that is ending still has its memory.
    return places.length < CATALOG_WORKERS_MAX ? open() : null;
  };

  /** The first that waits of the first tenant that has nothing running; its tenant goes to the end of the line. */
  const takeNext = (): Waiting | null => {
    for (const [tenant, queue] of queues) {
      if (running.has(tenant)) continue;
      const next = queue.shift();
      queues.delete(tenant);
      if (queue.length > 0) queues.set(tenant, queue);
      if (next === undefined) continue;
      waitingCount--;
      return next;
    }
    return null;
  };

  const hasTurn = (): boolean => [...queues.keys()].some((tenant) => !running.has(tenant));

  function dispatch(): void {
    while (hasTurn()) {
      const place = freePlace();
      if (place === null) return;
      const next = takeNext();
      if (next === null) return;
      void serve(place, next);
    }
  }

  const sendAgain = (waiting: Waiting): void => {
    const { tenantId } = waiting.task;
    queues.set(tenantId, [{ ...waiting, isSentAgain: true }, ...(queues.get(tenantId) ?? [])]);
    waitingCount++;
  };

  async function serve(place: Place, waiting: Waiting): Promise<void> {
    const { task, resolve, reject } = waiting;
    const tenant = task.tenantId;
    clearTimeout(place.idle);
    place.isBusy = true;
    running.add(tenant);
    try {
      if (task.signal.aborted) throw task.signal.reason;
      resolve(await place.worker.perform(task));
    } catch (error) {
      if (error instanceof WorkerGone && !waiting.isSentAgain && !isClosed) sendAgain(waiting);
      else if (error instanceof WorkerLost) {
        offenders.set(tenant, Date.now() + CATALOG_OFFENSE_MS);
        reject(error.shown);
      } else reject(error);
    } finally {
      running.delete(tenant);
      place.isBusy = false;
      // The last one stays, so that the next statement need not wait for a start.
      if (places.length > 1)
        place.idle = setTimeout(() => place.worker.end(), CATALOG_WORKER_IDLE_MS).unref();
      if (!isClosed) dispatch();
    }
  }

  const refusal = (tenant: string): PgError | null => {
    const until = offenders.get(tenant) ?? 0;
    const left = until - Date.now();
    if (left > 0) return suspended(Math.ceil(left / 1000));
    offenders.delete(tenant);
    const own = queues.get(tenant)?.length ?? 0;
    return waitingCount >= CATALOG_WAITING_MAX || own >= CATALOG_TENANT_WAITING_MAX ? tooMany() : null;
  };

  open();
  return {
    perform: (task) =>
      new Promise((resolve, reject) => {
        const tenant = task.tenantId;
        const refused = isClosed ? tooMany() : refusal(tenant);
        if (refused !== null) {
          reject(refused);
          return;
        }
        const queue = queues.get(tenant);
        const waiting = { task, resolve, reject, isSentAgain: false };
        if (queue === undefined) queues.set(tenant, [waiting]);
        else queue.push(waiting);
        waitingCount++;
        dispatch();
      }),
    async close() {
      isClosed = true;
      for (const queue of queues.values()) for (const { reject } of queue) reject(tooMany());
      queues.clear();
      const all = [...places];
      for (const { worker } of all) worker.end();
      await Promise.all(all.map(({ worker }) => worker.ended));
    },
  };
}
