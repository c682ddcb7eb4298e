/**
 * Ends a statement that has worked for too long, whatever its timeout is. Parts of PostgreSQL hear of no cancel (libxml's
 * XPath is one); then its server is ended, of which its own tenant alone notices.
 */
import { OBEY_CPU_MS } from '../limits.ts';
import { processFacts } from '../processes.ts';
import type { RunningServer } from '../server.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const TICK_MS = 10;

/** Processor time of a process up to now, ms. */
const workedMs = (pid: number): number => (processFacts(pid)?.ticks ?? Infinity) * TICK_MS;

/** Whether the server was ended. A process that works at many short statements is left alone. */
export async function endRunaway(
  server: RunningServer,
  pid: number,
  limits: { readonly STATEMENT_CPU_MS_MAX: number; readonly OBEY_MS_MAX: number },
): Promise<boolean> {
  const owner = await server.owner();
  const working = `FROM pg_catalog.pg_stat_activity WHERE pid = ${Number(pid)} AND state <> 'idle'`;
  try {
    const [found] = await owner.run(
      `SELECT query_start::text AS since, pg_catalog.pg_cancel_backend(pid) ${working}
         AND query_start < clock_timestamp() - ${limits.STATEMENT_CPU_MS_MAX} * interval '1 ms'`,
    );
    if (found === undefined) return false;
    for (const told = workedMs(pid); ;) {
      await pause(limits.OBEY_MS_MAX);
      const rows = await owner.run(`SELECT query_start::text AS since ${working}`);
      if (!rows.some(({ since }) => since === found['since'])) return false;
      if (workedMs(pid) - told >= OBEY_CPU_MS) break;
    }
  } finally {
    await owner.close();
  }
  await server.end();
  return true;
}
