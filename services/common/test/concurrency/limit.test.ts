import { expect } from 'chai';
import { limitConcurrency, mapConcurrently } from '../../src/concurrency/limit.ts';

describe('a limit of concurrency', () => {
  it('runs so many at a time, in the order in which they came', async () => {
    const limited = limitConcurrency(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const work = (i: number) =>
      limited(async () => {
        begun.push(i);
        await new Promise<void>((resolve) => (ends[i] = resolve));
      });
    const all = [0, 1, 2, 3].map(work);
    expect(begun).to.deep.equal([0, 1]);
    ends[1]?.();
    await all[1];
    expect(begun).to.deep.equal([0, 1, 2]);
    ends[0]?.();
    await all[0];
    expect(begun).to.deep.equal([0, 1, 2, 3]);
    for (const end of ends) end();
    await Promise.all(all);
  });

  it('gives the place of work that failed to the next', async () => {
    const limited = limitConcurrency(1);
    const failed = limited(() => Promise.reject(new Error('no'))).catch((error: Error) => error.message);
    const next = limited(async () => 'done');
    expect(await Promise.all([failed, next])).to.deep.equal(['no', 'done']);
  });

  it('gives results in the order of the values, and the first error', async () => {
    const waits = [20, 1, 5];
    const slow = async (ms: number): Promise<number> => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return ms;
    };
    expect(await mapConcurrently(waits, 2, slow)).to.deep.equal(waits);
    const fails = mapConcurrently([1, 2, 3], 2, async (i) => {
      if (i === 2) throw new Error(`no ${i}`);
      return i;
    });
    expect(await fails.catch((error: Error) => error.message)).to.equal('no 2');
    expect(await mapConcurrently([], 2, slow)).to.deep.equal([]);
  });
});
