/** Two scans at once on one engine: whether its workers use two cores where one scan uses one. */
import { availableParallelism } from 'node:os';
import { SCHEMA, type BenchStack } from '../bench-stack.ts';
import { interleavedMs, median, timedMs } from '../measure.ts';
import { cpuOfEachS } from '../process-use.ts';
import type { BenchRow } from '../report.ts';

const GAIN_TARGET = 1.7;
/** The endpoint that they read from, the gateway and the client take another two while both run. */
const CORES_NEEDED = 4;

interface Use {
  readonly s: number;
  readonly cpuS: number;
  readonly busiestS: number;
}

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
  /** Seconds of work; of CPU time meanwhile, of the engine's processes together and of the busiest one. */
  const used = async (work: () => Promise<unknown>): Promise<Use> => {
    const before = await cpuOfEachS(engine);
    const s = (await timedMs(work)) / 1000;
    const each = [...(await cpuOfEachS(engine))].map(([pid, cpu]) => cpu - (before.get(pid) ?? 0));
    return { s, cpuS: each.reduce((sum, cpu) => sum + cpu, 0), busiestS: Math.max(...each) };
  };
  const [ofOne, ofTwo] = [await used(alone), await used(both)];
  const gain = (2 * median(one)) / median(two);
  const gainByProcess = (2 * ofOne.busiestS) / ofTwo.busiestS;
  const cores = availableParallelism();
  const target = `≥ ${GAIN_TARGET}×`;
  return [
    {
      what: 'Two such scans at once on one engine, of two tenants',
      ours: `${(median(two) / 1000).toFixed(2)} s, ${(ofTwo.cpuS / ofTwo.s).toFixed(2)} processors of the engine's`,
      theirs: `one alone: ${(median(one) / 1000).toFixed(2)} s, ${(ofOne.cpuS / ofOne.s).toFixed(2)} processors`,
      ratio: `${gain.toFixed(2)}× the items a second`,
      target:
        cores >= CORES_NEEDED
          ? target
          : `${target}, to be judged on ${CORES_NEEDED} cores or more (here ${cores})`,
      met: cores >= CORES_NEEDED ? gain >= GAIN_TARGET : null,
    },
    {
      what: "The same by the CPU time of the engine's busiest process, which bounds it where each has a core",
      ours: `${ofTwo.busiestS.toFixed(2)} s`,
      theirs: `one alone: ${ofOne.busiestS.toFixed(2)} s`,
      ratio: `${gainByProcess.toFixed(2)}× the items a second`,
      target,
      met: gainByProcess >= GAIN_TARGET,
    },
  ];
}
