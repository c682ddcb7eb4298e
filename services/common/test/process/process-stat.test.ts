import { getPriority } from 'node:os';
import { expect } from 'chai';
import { parseProcessStat, processStat } from '../../src/process/process-stat.ts';

describe('what Linux tells of a process', () => {
  it('is read behind its name, whatever that holds', () => {
    const line = '42 (a (b) c) S 7 42 42 0 -1 4194304 900 80 0 0 150 25 30 5 20 5 24 0 100 0 0';
    expect(parseProcessStat(line)).to.deep.equal({
      name: 'a (b) c',
      parent: 7,
      cpuMs: 1_750,
      endedChildrenCpuMs: 350,
      niceness: 5,
    });
  });

  it('is what this process knows of itself', function () {
    const own = processStat(process.pid);
    if (process.platform !== 'linux') return this.skip();
    const { user, system } = process.cpuUsage();
    expect(own).to.include({ parent: process.ppid, niceness: getPriority() });
    expect(own?.cpuMs)
      .to.be.greaterThan(0)
      .and.at.most((user + system) / 1_000 + 20);
  });

  it('is nothing of a process that is gone', () => {
    expect(processStat(0)).to.equal(null);
  });
});
