import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sliced } from '../../src/scheduling/sliced-work.ts';
import { createTimeSlices } from '../../src/scheduling/time-slices.ts';

const CALM = { sliceMs: 1, gapMs: 0, haveOthersPriority: () => false };

function busy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** So many slices of half a millisecond. */
function* work(slices: number, onSlice: () => void = () => undefined): Sliced<number> {
  for (let i = 0; i < slices; i++) {
    busy(0.5);
    onSlice();
    yield;
  }
  return slices;
}

describe('turns on the thread', () => {
  it('lets timers and sockets in between slices', async () => {
    const turns = createTimeSlices(CALM);
    let isDone = false;
    const working = turns.run('a', work(100)).then(() => (isDone = true));
    let times = 0;
    while (!isDone) {
      await sleep(1);
      times++;
    }
    await working;
    // 50 ms of work in turns of a millisecond; in one go it would be two.
    expect(times).to.be.greaterThan(8);
  });

  it('gives tenants the same share, however much one of them has to do', async () => {
    const turns = createTimeSlices(CALM);
    const order: string[] = [];
    const many = Array.from({ length: 10 }, () =>
      turns.run(
        'a',
        work(8, () => void order.push('a')),
      ),
    );
    await turns.run(
      'b',
      work(8, () => void order.push('b')),
    );
    const before = order.filter((tenant) => tenant === 'a').length;
    expect(before).to.be.within(4, 16);
    await Promise.all(many);
  });

  it('does the work of a tenant piece by piece, so that little is half done', async () => {
    const turns = createTimeSlices(CALM);
    const order: number[] = [];
    await Promise.all(
      [0, 1, 2].map((n) =>
        turns.run(
          'a',
          work(6, () => void order.push(n)),
        ),
      ),
    );
    expect(order).to.deep.equal([...order].sort());
  });

  it('hands on what work answers or throws, and goes on', async () => {
    const turns = createTimeSlices(CALM);
    const failing = turns.run(
      'a',
      (function* (): Sliced<void> {
        yield;
        throw new Error('broken');
      })(),
    );
    const next = turns.run('a', work(2));
    const failure = await failing.catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'broken');
    expect(await next).to.equal(2);
  });

  it('leaves gaps while others have priority, and none once they have not', async () => {
    let havePriority = true;
    const turns = createTimeSlices({ sliceMs: 1, gapMs: 20, haveOthersPriority: () => havePriority });
    const starts: number[] = [];
    const note = (): void => void starts.push(performance.now());
    const working = turns.run('a', work(12, note));
    while (starts.length < 6) await sleep(1);
    havePriority = false;
    const calmFrom = starts.length;
    await working;
    const pauses = starts.slice(1, calmFrom).filter((at, i) => at - starts[i]! >= 19);
    expect(pauses.length).to.be.within(2, 5);
  });
});
