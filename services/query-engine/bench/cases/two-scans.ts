/** Two scans at once on one engine: whether its workers use two cores where one scan uses one. */
import { availableParallelism } from 'node:os';
import { SCHEMA, type BenchStack } from '../bench-stack.ts';
import { interleavedMs, median, timedMs } from '../measure.ts';
import { cpuS } from '../process-use.ts';
import type { BenchRow } from '../report.ts';

const GAIN_TARGET = 1.7;
/** The endpoint that they read from, the gateway and the client take another two while both run. */
const CORES_NEEDED = 4;

export async function benchTwoScans(
  stack: BenchStack,
  tableName: string,
  rounds: number,
): Promise<readonly BenchRow[]> {
  const sql = `SELECT status, COUNT(*) AS n, SUM(amount) AS amount FROM ${SCHEMA}.${tableName} GROUP BY status ORDER BY status`;
  const [engine = 0] = stack.engines;
  const alone = (): Promise<unknown> => stack.rest.query(sql);
  const both = (): Promise<unknown> => Promise.all([stack.rest.query(sql), stack.neighbor.query(sql)]);
  await both();
  const { one, two } = await interleavedMs(rounds, { one: alone, two: both });
  /** Processors that the engine uses meanwhile. */
  const used = async (work: () => Promise<unknown>): Promise<number> => {
    const before = await cpuS(engine);
    const ms = await timedMs(work);
    return ((await cpuS(engine)) - before) / (ms / 1000);
  };
  const processors = [await used(alone), await used(both)];
  const gain = (2 * median(one)) / median(two);
  const cores = availableParallelism();
  const target = `≥ ${GAIN_TARGET}×`;
  return [
    {
      what: 'Two such scans at once on one engine, of two tenants',
      ours: `${(median(two) / 1000).toFixed(2)} s, ${processors[1]?.toFixed(2)} processors of the engine's`,
      theirs: `one alone: ${(median(one) / 1000).toFixed(2)} s, ${processors[0]?.toFixed(2)} processors`,
      ratio: `${gain.toFixed(2)}× the items a second`,
      target:
        cores >= CORES_NEEDED
          ? target
          : `${target}, to be judged on ${CORES_NEEDED} cores or more (here ${cores})`,
      met: cores >= CORES_NEEDED ? gain >= GAIN_TARGET : null,
    },
  ];
}
