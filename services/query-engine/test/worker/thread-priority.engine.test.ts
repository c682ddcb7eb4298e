/** Threads of a worker, as the system sees them. */
import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { processStat, type ProcessStat } from '@penstock/common/process/process-stat.ts';
import { COMPUTING_NICENESS } from '../../src/limits.ts';
import { startTestEngine, type TestEngine } from '../engine/test-engine.ts';

/** A thread may end between the list and the look. */
const threadsOf = (pid: number): readonly ProcessStat[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) => processStat(`${pid}/task/${thread}`) ?? []);

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
