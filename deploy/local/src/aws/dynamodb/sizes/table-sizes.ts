import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { TABLE_SIZE_FIRST_MS_MAX, TABLE_SIZE_REFRESH_MS_MAX } from '../../limits.ts';
import type { SizeQuestion, SizeReply } from './worker.ts';

/** Items and their size in bytes, by DynamoDB's rules for item sizes. */
export interface Size {
  readonly itemCount: number;
  readonly bytes: number;
}

export interface SizesOfTable {
  readonly table: Size;
  /** By index name. */
  readonly indexes: Readonly<Record<string, Size>>;
  /** Of indexes that are not named; absent: not known. */
  readonly otherIndexes?: Size;
}

/** Measures the tables of stores that are SQLite files. */
export interface TableSizes {
  /**
   * Sizes of a table in the store kept at `path`: as they are now where that is quickly known, else those last
   * known (on AWS they may be six hours old). undefined where they cannot be had.
   */
  of(path: string, tableName: string): Promise<SizesOfTable | undefined>;
  close(): Promise<void>;
}

/** Measures in a thread of its own, started when first needed: a large table takes a while. */
export function createTableSizes(): TableSizes {
  const lastKnown = new Map<string, SizesOfTable>();
  const waiting = new Map<number, (sizes: SizesOfTable | undefined) => void>();
  let worker: Worker | undefined;
  let questions = 0;

  function startWorker(): Worker {
    const started = new Worker(new URL('./worker.ts', import.meta.url));
    started.on('message', ({ id, sizes }: SizeReply) => settle(id, sizes));
    started.on('error', () => {
      worker = undefined;
      for (const id of [...waiting.keys()]) settle(id, undefined);
    });
    started.unref();
    return started;
  }

  function settle(id: number, sizes: SizesOfTable | undefined): void {
    waiting.get(id)?.(sizes);
    waiting.delete(id);
  }

  async function of(path: string, tableName: string): Promise<SizesOfTable | undefined> {
    const file = `${path}.db`;
    const key = `${file}/${tableName}`;
    worker ??= startWorker();
    const id = (questions += 1);
    const measured = new Promise<SizesOfTable | undefined>((resolve) => waiting.set(id, resolve)).then(
      (sizes) => {
        if (sizes !== undefined) lastKnown.set(key, sizes);
        return sizes;
      },
    );
    worker.postMessage({ id, file, tableName } satisfies SizeQuestion);
    const patienceMs = lastKnown.has(key) ? TABLE_SIZE_REFRESH_MS_MAX : TABLE_SIZE_FIRST_MS_MAX;
    const enough = new AbortController();
    const timeout = delay(patienceMs, undefined, { signal: enough.signal }).catch(() => undefined);
    const sizes = await Promise.race([measured, timeout]);
    enough.abort();
    return sizes ?? lastKnown.get(key);
  }

  return { of, close: async () => void (await worker?.terminate()) };
}
