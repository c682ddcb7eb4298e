/**
 * A process that runs statements over the catalogs, one at a time. It has no secrets, no network and no environment, and
 * whatever a statement does to it, the endpoint and its sessions go on: it can be ended at any time.
 */
import { writeFile } from 'node:fs/promises';
import { PgError } from '../../errors/pg-error.ts';
import { classify } from '../classify/classify.ts';
import { createCatalogEngine } from '../execution/catalog-engine.ts';
import { CATALOG_GROWTH_MB_MAX, MEMORY_CHECK_MS } from '../limits.ts';
import type { Answer, Answering, FromWorker, ToWorker } from './messages.ts';

const MEGABYTE = 1024 * 1024;

const send = (message: FromWorker): void => {
  process.send?.(message);
};

process.on('disconnect', () => process.exit());
// Where the system runs out of memory, this process goes first: nothing is lost with it. Only Linux has the file.
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);

const engine = await createCatalogEngine();
const atStart = process.memoryUsage.rss();

const grownMb = (): number => (process.memoryUsage.rss() - atStart) / MEGABYTE;

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

let waiting: { readonly id: number; readonly work: Answering } | null = null;

async function answerOf(work: Answering): Promise<Answer> {
  if (work.kind === 'describe') return { kind: 'describe', described: await engine.describe(work) };
  return { kind: 'run', ...(await engine.run(work)) };
}

async function perform(id: number, work: Answering): Promise<void> {
  const end = watched();
  try {
    send({ kind: 'answer', id, answer: await answerOf(work), isLarge: isLarge() });
  } catch (error) {
    const fields = error instanceof PgError ? error.fields : null;
    send({ kind: 'failed', id, fields, text: String(error), isLarge: isLarge() });
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
        const classified = classify(engine.systemNames, work.sql);
        send({ kind: 'answer', id, answer: { kind: 'classify', classified }, isLarge: isLarge() });
      } else if (engine.held(work.tenantId) === work.version) void perform(id, work);
      else {
        waiting = { id, work };
        send({ kind: 'needsTables', id });
      }
      return;
    }
    case 'tables': {
      const next = waiting;
      waiting = null;
      if (next === null) return;
      engine.load(next.work.tenantId, message.tables).then(
        () => perform(next.id, next.work),
        (error: unknown) =>
          send({ kind: 'failed', id: next.id, fields: null, text: String(error), isLarge: true }),
      );
      return;
    }
    case 'interrupt':
      engine.interrupt();
  }
});

send({ kind: 'ready' });
