/**
 * Translates statements of other dialects in a thread of its own, one at a time. The engine never waits for it longer than
 * a bound, nor does one tenant for many statements of another.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import type { Translation } from '../translations-of.ts';
import {
  PAUSED_TENANTS_KEPT,
  TENANT_PAUSE_MS,
  TRANSLATED_CHARS_MAX,
  TRANSLATION_MS_MAX,
  TRANSLATION_PASSED_MS_MAX,
  TRANSLATIONS_WAITING_MAX,
  WORKER_HEAP_MB_MAX,
  WORKER_IDLE_MS_MAX,
  WORKER_STACK_MB_MAX,
  WORKER_START_MS_MAX,
} from './limits.ts';
import type { TranslationAnswer, TranslationRequest } from './messages.ts';

/**
 * `translated`: with what was found, or nothing. `stopped`: it took too long, or ended the worker. `busy`: others were
 * before it, and `late`: the thread had no processor to work at it, or to start; neither says anything of the statement.
 */
type TranslationOutcome =
  | { readonly kind: 'translated'; readonly translations: readonly Translation[] }
  | { readonly kind: 'stopped' | 'busy' | 'late' };

export interface TranslationWorker {
  /** Never rejects. */
  translate(sql: string, tenantId: string): Promise<TranslationOutcome>;
  /** Ends the thread; whoever waits gets `busy`. */
  close(): Promise<void>;
}

/** Bounds that tests change. */
export interface TranslationBounds {
  readonly translationMsMax?: number;
  readonly idleMsMax?: number;
  readonly pauseMs?: number;
  readonly heapMbMax?: number;
  readonly startMsMax?: number;
  readonly passedMsMax?: number;
}

interface Job {
  readonly sql: string;
  readonly tenantId: string;
  readonly done: (outcome: TranslationOutcome) => void;
}

/** A thread answers at once what it has worked; one that has not by then does not get to. */
const ANSWER_MS = 1_000;
/** Between two looks at what it has worked, milliseconds. */
const LOOK_MS_MIN = 20;

const NOTHING: TranslationOutcome = Object.freeze({ kind: 'translated', translations: [] });
const BUSY: TranslationOutcome = Object.freeze({ kind: 'busy' });
const STOPPED: TranslationOutcome = Object.freeze({ kind: 'stopped' });
const LATE: TranslationOutcome = Object.freeze({ kind: 'late' });

/** What a thread has worked, milliseconds; 0 where it is gone. */
async function workedMs(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (user + system) / 1000;
}

function startThread(heapMbMax: number): Worker {
  return new Worker(new URL('./thread.ts', import.meta.url), {
    name: 'translation',
    // Neither flags nor settings of the process are of use to it.
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax, stackSizeMb: WORKER_STACK_MB_MAX },
  });
}

export function createTranslationWorker(bounds: TranslationBounds = {}): TranslationWorker {
  const {
    translationMsMax = TRANSLATION_MS_MAX,
    idleMsMax = WORKER_IDLE_MS_MAX,
    pauseMs = TENANT_PAUSE_MS,
    heapMbMax = WORKER_HEAP_MB_MAX,
    startMsMax = WORKER_START_MS_MAX,
    passedMsMax = TRANSLATION_PASSED_MS_MAX,
  } = bounds;
  const pausedUntilMs = boundedCache<number>(PAUSED_TENANTS_KEPT);
  let waiting: Job[] = [];
  let running: Job | null = null;
  let thread: Worker | null = null;
  let isReady = false;
  let isClosed = false;
  let lastId = 0;
  let deadline: NodeJS.Timeout | undefined;
  let idle: NodeJS.Timeout | undefined;

  const endThread = async (): Promise<void> => {
    const ended = thread;
    thread = null;
    isReady = false;
    clearTimeout(deadline);
    clearTimeout(idle);
    await ended?.terminate();
  };

  /** The statement at work is over, and with it the thread, unless it answered. */
  const finish = (outcome: TranslationOutcome): void => {
    const job = running;
    running = null;
    clearTimeout(deadline);
    if (outcome.kind === 'stopped' && job !== null)
      pausedUntilMs.set(job.tenantId, performance.now() + pauseMs);
    if (outcome.kind !== 'translated') void endThread();
    job?.done(outcome);
    next();
  };

  const after = (ms: number, work: () => void): NodeJS.Timeout => setTimeout(work, ms).unref();

  const start = (): Worker => {
    const started = startThread(heapMbMax);
    started.on('message', (answer: TranslationAnswer) => {
      if (started !== thread) return;
      if (answer.kind === 'ready') {
        isReady = true;
        post();
      } else if (answer.id === lastId && running !== null) {
        finish({ kind: 'translated', translations: answer.translations });
      }
    });
    const lost = (): void => {
      if (started !== thread) return;
      thread = null;
      isReady = false;
      if (running !== null) finish(STOPPED);
    };
    started.on('error', lost);
    started.on('exit', lost);
    return started;
  };

  /** Stops the statement at work once the thread has worked long enough at it, or far more time has passed. */
  const watch = async (worker: Worker, id: number): Promise<void> => {
    const isOver = (): boolean => worker !== thread || id !== lastId || running === null;
    const postedAt = performance.now();
    const before = await workedMs(worker);
    const look = async (): Promise<void> => {
      // A thread that does not even answer that works at what cannot be interrupted.
      const now = await Promise.race([workedMs(worker), sleep(ANSWER_MS, Infinity, { ref: false })]);
      if (isOver()) return;
      const left = translationMsMax - (now - before);
      if (left <= 0) finish(STOPPED);
      else if (performance.now() - postedAt > passedMsMax) finish(LATE);
      else deadline = after(Math.max(left, LOOK_MS_MIN), () => void look());
    };
    if (!isOver()) deadline = after(translationMsMax, () => void look());
  };

  /** Hands the thread what is at work, once it can take it. */
  const post = (): void => {
    if (running === null || thread === null || !isReady) return;
    clearTimeout(deadline);
    lastId += 1;
    void watch(thread, lastId);
    thread.postMessage({ id: lastId, sql: running.sql } satisfies TranslationRequest);
  };

  const next = (): void => {
    clearTimeout(idle);
    running = waiting.shift() ?? null;
    if (running === null) {
      // It keeps no process alive.
      thread?.unref();
      idle = after(idleMsMax, () => void endThread());
      return;
    }
    if (thread === null) {
      thread = start();
      deadline = after(startMsMax, () => finish(LATE));
    }
    thread.ref();
    post();
  };

  return Object.freeze({
    async translate(sql: string, tenantId: string) {
      if (isClosed || sql.length > TRANSLATED_CHARS_MAX) return NOTHING;
      if ((pausedUntilMs.get(tenantId) ?? 0) > performance.now()) return BUSY;
      const isThere = [running, ...waiting].some((job) => job?.tenantId === tenantId);
      if (isThere || waiting.length >= TRANSLATIONS_WAITING_MAX) return BUSY;
      return new Promise<TranslationOutcome>((done) => {
        waiting.push({ sql, tenantId, done });
        if (running === null) next();
      });
    },
    async close() {
      isClosed = true;
      const left = [...(running === null ? [] : [running]), ...waiting];
      running = null;
      waiting = [];
      for (const job of left) job.done(BUSY);
      await endThread();
    },
  });
}
