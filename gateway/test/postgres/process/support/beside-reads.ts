/** A session of good will, which reads a point again and again while others do what they do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import type { Credentials } from '../../../e2e/support/tenant.ts';
import type { BesideRead } from './beside-worker.ts';

/** Nobody waits this long, on any machine. */
const READ_MS_MAX = 5_000;
const LOOK_MS = 20;

export interface BesideReads {
  /** It reads still, and no read since it was asked last took too long. */
  goesOn(): Promise<void>;
  figures(): string;
  end(): Promise<void>;
}

export function besideReads(port: number, credentials: Credentials): BesideReads {
  const worker = new Worker(new URL('beside-worker.ts', import.meta.url), {
    workerData: { port, credentials },
  });
  const took: number[] = [];
  let seen = 0;
  let failure: Error | null = null;
  worker.on('error', (error: Error) => (failure = error));
  worker.on('message', ({ ms, answers }: BesideRead) => {
    took.push(ms);
    if (answers.join() !== '2,D,C,Z') failure ??= new Error(`the session beside heard ${answers.join()}`);
  });

  return {
    async goesOn() {
      const count = took.length;
      for (const until = performance.now() + 2 * READ_MS_MAX; took.length < count + 2;) {
        if (failure !== null) throw failure;
        if (performance.now() > until) throw new Error('the session beside reads no more');
        await sleep(LOOK_MS);
      }
      expect(Math.max(...took.slice(seen))).to.be.lessThan(READ_MS_MAX);
      seen = took.length;
    },
    figures() {
      const sorted = [...took].sort((a, b) => a - b);
      const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
      return `${sorted.length} reads, median ${at(0.5)}, p99 ${at(0.99)}, at most ${at(1)} ms`;
    },
    end: async () => void (await worker.terminate()),
  };
}
