/**
 * Translates statements of other dialects in a thread of its own, one at a time. The engine never waits for it longer than
 * a bound, nor does one tenant for many statements of another.
 */
import { Worker } from 'node:worker_threads';
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import type { Translation } from '../translations-of.ts';
import {
  PAUSED_TENANTS_KEPT,
  TENANT_PAUSE_MS,
  TRANSLATED_CHARS_MAX,
  TRANSLATION_MS_MAX,
  TRANSLATIONS_WAITING_MAX,
  WORKER_HEAP_MB_MAX,
  WORKER_IDLE_MS_MAX,
  WORKER_STACK_MB_MAX,
  WORKER_START_MS_MAX,
} from './limits.ts';
import type { TranslationAnswer, TranslationRequest } from './messages.ts';

/**
 * `translated`: with what was found, or nothing. `stopped`: it took too long, or ended the worker. `busy`: others were
 * before it; it says nothing of the statement.
 */
type TranslationOutcome =
  | { readonly kind: 'translated'; readonly translations: readonly Translation[] }
  | { readonly kind: 'stopped' | 'busy' };

export interface TranslationWorker {
  /** Never rejects. */
  translate(sql: string, tenantId: string): Promise<TranslationOutcome>;
  /** Ends the thread; whoever waits gets `busy`. */
  close(): Promise<void>;
}

/** Bounds that tests make shorter. */
export interface TranslationBounds {
  readonly translationMsMax?: number;
  readonly idleMsMax?: number;
  readonly pauseMs?: number;
  readonly heapMbMax?: number;
}

interface Job {
  readonly sql: string;
  readonly tenantId: string;
  readonly done: (outcome: TranslationOutcome) => void;
}

const NOTHING: TranslationOutcome = Object.freeze({ kind: 'translated', translations: [] });
const BUSY: TranslationOutcome = Object.freeze({ kind: 'busy' });
const STOPPED: TranslationOutcome = Object.freeze({ kind: 'stopped' });

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
    if (outcome.kind === 'stopped') {
      if (job !== null) pausedUntilMs.set(job.tenantId, performance.now() + pauseMs);
      void endThread();
    }
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

  /** Hands the thread what is at work, once it can take it. */
  const post = (): void => {
    if (running === null || thread === null || !isReady) return;
    clearTimeout(deadline);
    deadline = after(translationMsMax, () => finish(STOPPED));
    lastId += 1;
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
      deadline = after(WORKER_START_MS_MAX, () => finish(STOPPED));
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
