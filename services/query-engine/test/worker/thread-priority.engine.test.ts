/** Threads of a worker, as the system sees them. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { COMPUTING_NICENESS } from '../../src/limits.ts';
import { startTestEngine, type TestEngine } from '../engine/test-engine.ts';

interface Thread {
  readonly name: string;
  readonly niceness: number;
}

function threadsOf(pid: number): readonly Thread[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
    const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
      // The 19th field of proc_pid_stat(5); the third is the first after the name.
      niceness: Number(afterName[16]),
    };
  });
}

describe('threads of a worker', () => {
  let engine: TestEngine;
  before(async () => void (engine = await startTestEngine([])));
  after(() => engine.close());

  it('let those that answer go first, where they compute', () => {
    const threads = threadsOf(engine.worker().pid ?? 0);
    const computing = threads.filter(({ name }) => name === 'libuv-worker');
    expect(computing).to.have.length.of.at.least(4);
    for (const { name, niceness } of threads)
      expect(niceness, name).to.equal(name === 'libuv-worker' ? COMPUTING_NICENESS : 0);
  });
});
