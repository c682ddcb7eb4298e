/** One process that runs statements, seen from the endpoint. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { processStat } from '@penstock/common/process/process-stat.ts';
import { PgError } from '../../errors/pg-error.ts';
import type { CatalogTables } from '../catalog.ts';
import { memoryExceeded, timeExceeded } from './errors.ts';
import {
  CATALOG_STATEMENT_MS_MAX,
  CATALOG_STOP_MS_MAX,
  WAITED_PER_WORKED,
  WORKER_HEAP_MB,
  WORKER_START_MS_MAX,
} from '../limits.ts';
import type { Answer, FromWorker, ToWorker, Work } from './messages.ts';

export interface Task {
  /** Whose turn it takes. */
  readonly tenantId: string;
  readonly work: Work;
  readonly tables: CatalogTables;
  readonly signal: AbortSignal;
}

export interface WorkerProcess {
  /** One at a time. Rejects with a PgError of the statement, the signal's reason, WorkerLost or WorkerGone. */
  readonly perform: (task: Task) => Promise<Answer>;
  /** False once it has to be replaced. */
  readonly isUsable: () => boolean;
  readonly end: () => void;
  readonly ended: Promise<void>;
}

/** The statement made its worker end, or would not stop. */
export class WorkerLost extends Error {
  readonly shown: unknown;

  constructor(shown: unknown) {
    super('The worker was ended');
    this.shown = shown;
  }
}

/** The worker ended before it took the statement up, which is none of the statement's doing. */
export class WorkerGone extends Error {
  constructor() {
    super('A catalog worker ended before it took a statement up');
  }
}

const MAIN = join(import.meta.dirname, 'main.ts');

const crashed = (): PgError =>
  new PgError({
    code: '53200',
    message: 'The statement ended the process that ran it',
    hint: 'Ask for less at a time: fewer joins, or a condition on schema and table.',
  });

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

const internal = (text: string): Error => new Error(`A statement over system catalogs failed: ${text}`);

/** Where what it compiles is kept for the next one, if anywhere: apart, since it writes nothing that this process runs. */
function compileCache(): Readonly<Record<string, string>> {
  const kept = process.env['NODE_COMPILE_CACHE'] ?? '';
  return kept === '' ? {} : { NODE_COMPILE_CACHE: join(kept, 'catalog-workers') };
}

export function startWorker(): WorkerProcess {
  const child = fork(MAIN, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // The optimizing compiler would take two seconds and half a gigabyte for the parser's largest function; what the first
    // compiler makes of it parses in a fraction of a millisecond too. To collect alone takes a tenth less CPU until it is ready.
    execArgv: [`--max-old-space-size=${WORKER_HEAP_MB}`, '--liftoff-only', '--no-parallel-scavenge'],
    // It needs none of ours, and our secrets are in it.
    env: { UV_THREADPOOL_SIZE: '2', ...compileCache() },
  });
  let usable = true;
  let listener: ((message: FromWorker) => void) | null = null;
  let onExit: ((signal: NodeJS.Signals | null) => void) | null = null;
  const kill = (): void => {
    usable = false;
    child.kill('SIGKILL');
  };
  let lateStart: NodeJS.Timeout | undefined;
  const ready = new Promise<void>((resolve, reject) => {
    lateStart = setTimeout(kill, WORKER_START_MS_MAX);
    child.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') {
        clearTimeout(lateStart);
        resolve();
      } else listener?.(message);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new WorkerGone()));
  });
  ready.catch(() => undefined);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (_, signal) => {
      clearTimeout(lateStart);
      usable = false;
      onExit?.(signal);
      resolve();
    });
  });
  const send = (message: ToWorker): void => {
    if (child.connected) child.send(message, () => undefined);
  };
  let ids = 0;

  const answerOf = ({ work, tables, signal }: Task): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const id = ++ids;
      let isBegun = false;
      let stopped: unknown = null;
      let killing: NodeJS.Timeout | undefined;
      const stop = (reason: unknown): void => {
        if (stopped !== null) return;
        stopped = reason;
        send({ kind: 'interrupt', id });
        killing = setTimeout(kill, CATALOG_STOP_MS_MAX);
      };
      const onAbort = (): void => stop(signal.reason);
      const cpuMs = (): number | null => processStat(child.pid ?? 0)?.cpuMs ?? null;
      const begunMs = cpuMs();
      const look = (looks: number): void => {
        // On a machine that gives it no time, a statement takes long without a fault of its own.
        const workedMs = (cpuMs() ?? Infinity) - (begunMs ?? 0);
        const mayGoOn = workedMs < CATALOG_STATEMENT_MS_MAX / 2 && looks < WAITED_PER_WORKED;
        if (mayGoOn) timer = setTimeout(look, CATALOG_STATEMENT_MS_MAX, looks + 1);
        else stop(timeExceeded(CATALOG_STATEMENT_MS_MAX / 1000));
      };
      let timer = setTimeout(look, CATALOG_STATEMENT_MS_MAX, 1);
      const done = (finish: () => void): void => {
        clearTimeout(timer);
        clearTimeout(killing);
        signal.removeEventListener('abort', onAbort);
        listener = null;
        onExit = null;
        finish();
      };
      onExit = (signal) => {
        if (!isBegun && stopped === null) {
          done(() => reject(new WorkerGone()));
          return;
        }
        // Who else kills is its own watch, and the system, where memory is short.
        const why = stopped ?? (signal === 'SIGKILL' ? memoryExceeded() : crashed());
        done(() => reject(new WorkerLost(why)));
      };
      listener = (message) => {
        if (message.kind === 'ready' || message.id !== id) return;
        isBegun = true;
        if (message.kind === 'begun') return;
        if (message.kind === 'needsTables') {
          send({ kind: 'tables', id, tables });
          return;
        }
        const isBroken = message.kind === 'failed' && message.isBroken;
        if (message.isLarge || isBroken) kill();
        if (stopped !== null) done(() => reject(asError(stopped)));
        else if (message.kind === 'answer') done(() => resolve(message.answer));
        else {
          const error = message.fields === null ? internal(message.text) : new PgError(message.fields);
          // A statement that broke its worker has cost it, as one that it did not survive.
          done(() => reject(isBroken && message.fields !== null ? new WorkerLost(error) : error));
        }
      };
      if (signal.aborted) {
        done(() => reject(asError(signal.reason)));
        return;
      }
      signal.addEventListener('abort', onAbort, { once: true });
      send({ kind: 'work', id, work });
    });

  return {
    perform: async (task) => {
      await ready;
      return answerOf(task);
    },
    isUsable: () => usable,
    end: kill,
    ended,
  };
}
