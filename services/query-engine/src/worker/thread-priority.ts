/** Whose turn it is where the machine has no free core: DuckDB computes on threads that let all others go first. */
import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { COMPUTING_NICENESS } from '../limits.ts';

const THREADS = '/proc/self/task';
/** What libuv calls the threads of its pool; those that DuckDB starts from there inherit it. */
const COMPUTING = 'libuv-worker';

/**
 * Makes the threads that there are for DuckDB's work, which may be another tenant's, give way to those that answer: the
 * worker's own thread, the host and the gateway. To be called once DuckDB has started its threads. Linux alone has priorities
 * of threads; elsewhere nothing happens.
 *
 * @returns how many threads give way
 */
export function letComputingGiveWay(): number {
  let threads = 0;
  try {
    for (const thread of readdirSync(THREADS)) {
      if (readFileSync(`${THREADS}/${thread}/comm`, 'latin1').trim() !== COMPUTING) continue;
      setPriority(Number(thread), COMPUTING_NICENESS);
      threads++;
    }
  } catch {
    // The system does not allow it, or has no such thing: all are equal, as they were.
  }
  return threads;
}
