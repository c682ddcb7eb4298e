/** Scan and aggregate, through REST, against a program written by hand. */
import { SCHEMA, REGION, type BenchStack } from '../bench-stack.ts';
import { itemsOf } from '../canned/tables.ts';
import { scanAndGroup, sdkClient } from '../hand-written.ts';
import { interleavedMs, median } from '../measure.ts';
import { cpuS } from '../process-use.ts';
import type { BenchRow } from '../report.ts';

/** The scan, and what CPU it took the engine. Throws where the two disagree: a wrong answer is no fast one. */
export async function benchScan(
  stack: BenchStack,
  tableName: string,
  rounds: number,
  target: number,
): Promise<readonly BenchRow[]> {
  const sql = `SELECT status, COUNT(*) AS n, SUM(amount) AS amount FROM ${SCHEMA}.${tableName} GROUP BY status ORDER BY status`;
  const client = sdkClient(stack.endpoint, REGION);
  const warm = await stack.rest.query(sql);
  const groups = await scanAndGroup(client, tableName);
  const same =
    warm.data.length === groups.length &&
    groups.every(({ status, count, amount }, i) => {
      const [ourStatus, ourCount, ourAmount] = warm.data[i] ?? [];
      return ourStatus === status && ourCount === count && Math.abs(Number(ourAmount) - amount) < 0.01;
    });
  if (!same) throw new Error(`answers differ: ${JSON.stringify([warm.data, groups])}`);
  const [engine = 0] = stack.engines;
  const cpuBefore = await cpuS(engine);
  const times = await interleavedMs(rounds, {
    ours: () => stack.rest.query(sql),
    theirs: () => scanAndGroup(client, tableName),
  });
  const cpu = (await cpuS(engine)) - cpuBefore;
  client.destroy();
  const [ours, theirs] = [median(times.ours), median(times.theirs)];
  const bytes = tableName.endsWith('_whole')
    ? 'equal bytes (the endpoint ignores the projection)'
    : 'projected by the endpoint, as DynamoDB does';
  return [
    {
      what: `Scan and group ${itemsOf(tableName).toLocaleString('en')} items of 400 B over REST, ${bytes}`,
      ours: `${(ours / 1000).toFixed(2)} s`,
      theirs: `SDK paginate, unmarshall, reduce: ${(theirs / 1000).toFixed(2)} s`,
      ratio: `${(theirs / ours).toFixed(1)}×`,
      target: `≥ ${target}×`,
      met: theirs / ours >= target,
    },
    {
      what: `CPU time of the engine for a million items, ${bytes}`,
      ours: `${((cpu / rounds / itemsOf(tableName)) * 1e6).toFixed(2)} s`,
      theirs: '',
      ratio: '',
      target: '',
      met: null,
    },
  ];
}
