import { expect } from 'chai';
import { createPacer } from '../../../src/dynamodb/reader/pacer.ts';

describe('pacer', () => {
  const forever = new AbortController().signal;
  const waited = async (pacer: ReturnType<typeof createPacer>, signal = forever) => {
    const startMs = performance.now();
    await pacer.pause(signal);
    return performance.now() - startMs;
  };

  it('does not wait before anything was throttled', async () => {
    const pacer = createPacer();
    pacer.answered();
    expect(pacer.isHoldingBack()).to.equal(false);
    expect(await waited(pacer)).to.be.below(20);
  });

  it('waits longer with each throttling, and less with each answer until it no longer does', async () => {
    const pacer = createPacer(() => 1);
    pacer.throttled();
    pacer.throttled();
    expect(await waited(pacer)).to.be.within(90, 200);
    for (let answers = 0; answers < 4; answers++) pacer.answered();
    expect(pacer.isHoldingBack()).to.equal(false);
  });

  it('ends its wait when the signal aborts', async () => {
    const pacer = createPacer(() => 1);
    for (let times = 0; times < 10; times++) pacer.throttled();
    expect(await waited(pacer, AbortSignal.timeout(20))).to.be.below(500);
  });
});
