/**
 * A process that runs statements over the catalogs, one at a time. It has no secrets, no network and no environment, and
 * whatever a statement does to it, the endpoint and its sessions go on: it can be ended at any time.
 */
import { writeFile } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { PgError } from '../../errors/pg-error.ts';
import { classify } from '../classify/classify.ts';
import type { CatalogEngine } from '../execution/catalog-engine.ts';
import { createTenantEngines } from '../execution/tenant-engines.ts';
import { CATALOG_GROWTH_MB_MAX, MEMORY_CHECK_MS } from '../limits.ts';
import { ParserBroken } from '../parser/parse.ts';
import type { Answer, Answering, FromWorker, ToWorker } from './messages.ts';

const MEGABYTE = 1024 * 1024;

const send = (message: FromWorker): void => {
  process.send?.(message);
};

process.on('disconnect', () => process.exit());
// Where the system runs out of memory, this process goes first: nothing is lost with it. Only Linux has the file.
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);

const engines = createTenantEngines();
// For the next worker: this one is killed in the end, and has no time for it.
flushCompileCache();
/** After the start, and after each tenant's database was made: what that takes is no statement's. */
let atRest = process.memoryUsage.rss();

const grownMb = (): number => (process.memoryUsage.rss() - atRest) / MEGABYTE;

let engine: CatalogEngine | null = null;

async function engineOf(tenantId: string): Promise<CatalogEngine> {
  const before = process.memoryUsage.rss();
  engine = await engines.of(tenantId);
  atRest += Math.max(0, process.memoryUsage.rss() - before);
  return engine;
}

/**
 * Ends the process where a statement takes more than DuckDB itself counts. Killed, since an exit would wait for the statement
 * that runs in a thread, while its memory goes on growing (measured: to 2.5 GB).
 */
function watched(): () => void {
  const timer = setInterval(() => {
    if (grownMb() > CATALOG_GROWTH_MB_MAX) process.kill(process.pid, 'SIGKILL');
  }, MEMORY_CHECK_MS);
  return () => clearInterval(timer);
}

let waiting: { readonly id: number; readonly work: Answering; readonly engine: CatalogEngine } | null = null;

/** Not the statement's doing: another process had better do it. */
const fail = (id: number, error: unknown): void =>
  send({ kind: 'failed', id, fields: null, text: String(error), isLarge: true, isBroken: true });

/** Answers by the tables that the tenant's database has, or asks for others. */
async function begin(id: number, work: Answering): Promise<void> {
  try {
    const own = await engineOf(work.tenantId);
    const isHeld = work.version === null ? own.held() !== null : own.held() === work.version;
    if (isHeld) await answer(id, () => answerOf(own, work));
    else {
      waiting = { id, work, engine: own };
      send({ kind: 'needsTables', id });
    }
  } catch (error) {
    fail(id, error);
  }
}

async function answerOf(engine: CatalogEngine, work: Answering): Promise<Answer> {
  if (work.kind === 'describe') return { kind: 'describe', described: await engine.describe(work) };
  return { kind: 'run', ...(await engine.run(work)) };
}

/** Sends the answer, or why there is none. */
async function answer(id: number, work: () => Promise<Answer>): Promise<void> {
  const end = watched();
  try {
    send({ kind: 'answer', id, answer: await work(), isLarge: isLarge() });
  } catch (error) {
    const fields = error instanceof PgError ? error.fields : null;
    const isBroken = error instanceof ParserBroken;
    send({ kind: 'failed', id, fields, text: String(error), isLarge: isLarge(), isBroken });
  } finally {
    end();
  }
}

/** What DuckDB keeps for itself would leave the next statement too little. */
const isLarge = (): boolean => grownMb() > CATALOG_GROWTH_MB_MAX / 2;

process.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'work': {
      const { id, work } = message;
      // Before anything else: from here on, what becomes of this process may be the statement's doing.
      send({ kind: 'begun', id });
      if (work.kind === 'classify') {
        void answer(id, async () => ({
          kind: 'classify',
          classified: classify(engines.systemNames, work.sql),
        }));
      } else void begin(id, work);
      return;
    }
    case 'tables': {
      const next = waiting;
      waiting = null;
      if (next === null) return;
      void next.engine.load(message.tables).then(
        () => answer(next.id, () => answerOf(next.engine, next.work)),
        (error: unknown) => fail(next.id, error),
      );
      return;
    }
    case 'interrupt':
      engine?.interrupt();
  }
});

send({ kind: 'ready' });
