/** Numbers of a run: medians, since the machine has other things to do. */
import { setTimeout as sleep } from 'node:timers/promises';

export async function timedMs(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/**
 * Runs all works in turn, `rounds` times over, so that what disturbs the machine disturbs all; milliseconds of each. Every other
 * round goes backwards: what a work leaves to be done does not always fall to the same one.
 * `restMs`: after each, that the memory of one is not counted as the next one's.
 */
export async function interleavedMs<Name extends string>(
  rounds: number,
  works: Readonly<Record<Name, () => Promise<unknown>>>,
  restMs = 0,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(works) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      times[name].push(await timedMs(works[name]));
      if (restMs > 0) await sleep(restMs);
    }
  }
  return times;
}
