/**
 * Ends a statement that has worked for too long, whatever its timeout is. Parts of PostgreSQL hear of no cancel (libxml's
 * XPath is one); then its server is ended, of which its own tenant alone notices.
 */
import type { RunningServer } from '../server.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

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
    await pause(limits.OBEY_MS_MAX);
    const rows = await owner.run(`SELECT query_start::text AS since ${working}`);
    if (!rows.some(({ since }) => since === found['since'])) return false;
  } finally {
    await owner.close();
  }
  await server.end();
  return true;
}
