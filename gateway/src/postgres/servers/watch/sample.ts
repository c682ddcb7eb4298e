/** What servers take at a moment. */
import { processFacts, processMemory } from '../processes.ts';

export interface ProcessSample {
  readonly pid: number;
  /** Bytes that are its own. */
  readonly own: number;
  /** Processor time, in ticks of 10 ms. */
  readonly ticks: number;
  /** It runs, or would where a processor was free. */
  readonly isRunnable: boolean;
}

export interface ServerSample {
  readonly tenantId: string;
  /** Of the process that the others are children of. */
  readonly pid: number;
  readonly children: readonly ProcessSample[];
  /** What each process has for itself, and once what they share. */
  readonly bytes: number;
}

export function sampleServer(tenantId: string, pid: number, childIds: readonly number[]): ServerSample {
  let shared = 0;
  const sample = (one: number): ProcessSample => {
    const memory = processMemory(one);
    shared = Math.max(shared, memory?.shared ?? 0);
    const { ticks = 0, isRunnable = false } = processFacts(one) ?? {};
    return { pid: one, own: memory?.own ?? 0, ticks, isRunnable };
  };
  const main = sample(pid);
  const children = childIds.map(sample);
  const bytes = shared + [main, ...children].reduce((sum, { own }) => sum + own, 0);
  return { tenantId, pid, children, bytes };
}
