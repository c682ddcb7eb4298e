/** Two engines behind the gateway's channel against one, on queries that keep a CPU busy. */
import { availableParallelism } from 'node:os';
import { SCHEMA, type BenchStack } from '../bench-stack.ts';
import { cpuS } from '../process-use.ts';
import type { BenchRow } from '../report.ts';

const CLIENTS = 6;
/** Cores that two engines, the gateway, the canned endpoint and the client need to run side by side. */
const CORES_NEEDED = 4;
const GAIN_TARGET = 1.7;
const EVEN_TARGET = 0.8;

/** DuckDB is what keeps the CPU busy here: a join of one page of items with itself, on what is no key. */
const SQL = `SELECT a.city, COUNT(*) AS n, SUM(a.amount * b.qty) AS total
FROM ${SCHEMA}.canned_customers a JOIN ${SCHEMA}.canned_customers b ON a.city = b.city AND a.qty < b.qty
GROUP BY a.city`;

export interface Throughput {
  readonly perSecond: number;
  /** CPU seconds of each engine. */
  readonly cpuS: readonly number[];
}

export async function throughputOf(stack: BenchStack, forMs: number): Promise<Throughput> {
  await Promise.all(Array.from({ length: CLIENTS }, () => stack.rest.query(SQL)));
  const before = await Promise.all(stack.engines.map(cpuS));
  let done = 0;
  const started = performance.now();
  const loop = async (): Promise<void> => {
    while (performance.now() - started < forMs) {
      await stack.rest.query(SQL);
      done++;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, loop));
  const seconds = (performance.now() - started) / 1000;
  const after = await Promise.all(stack.engines.map(cpuS));
  return { perSecond: done / seconds, cpuS: after.map((cpu, i) => cpu - (before[i] ?? 0)) };
}

export function engineRows(one: Throughput, two: Throughput): readonly BenchRow[] {
  const gain = two.perSecond / one.perSecond;
  const even = Math.min(...two.cpuS) / Math.max(...two.cpuS);
  const enough = availableParallelism() >= CORES_NEEDED;
  return [
    {
      what: 'Two engines against one, CPU-bound joins',
      ours: `${two.perSecond.toFixed(1)} /s`,
      theirs: `one engine: ${one.perSecond.toFixed(1)} /s`,
      ratio: `${gain.toFixed(2)}×`,
      target: enough
        ? `≥ ${GAIN_TARGET}×`
        : `≥ ${GAIN_TARGET}×, to be judged on ${CORES_NEEDED} cores or more (here ${availableParallelism()})`,
      met: enough ? gain >= GAIN_TARGET : null,
    },
    {
      what: 'Load of the two engines, CPU seconds',
      ours: two.cpuS.map((seconds) => `${seconds.toFixed(1)} s`).join(' and '),
      theirs: '',
      ratio: even.toFixed(2),
      target: `≥ ${EVEN_TARGET}`,
      met: even >= EVEN_TARGET,
    },
  ];
}
