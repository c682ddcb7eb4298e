import { expect } from 'chai';
import { createPacer } from '../../../src/dynamodb/reader/pacer.ts';
import { createPacers } from '../../../src/dynamodb/reader/pacers.ts';
import { throttlePauseMsMax, throttlePauseMsMin } from '../../../src/dynamodb/reader/limits.ts';
import type { Throttling } from '../../../src/scheduling/throttling.ts';

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

  it('pauses as long as another process that was throttled, and no shorter for it', async () => {
    let nowMs = 1_000;
    const raised: number[] = [];
    const pacer = createPacer(
      () => 1,
      () => nowMs,
      (pauseMs) => void raised.push(pauseMs),
    );
    pacer.slow(400);
    expect(pacer.heldMs()).to.equal(400);
    pacer.slow(100);
    expect(pacer.heldMs()).to.equal(400);
    // Sent before the news came.
    pacer.throttled(900);
    expect(pacer.heldMs()).to.equal(400);
    expect(raised).to.deep.equal([]);
    nowMs += 10;
    pacer.throttled(1_005);
    expect(raised).to.deep.equal([800]);
    // A process that says what cannot be true stops nobody for long.
    pacer.slow(3_600_000);
    expect(pacer.heldMs()).to.equal(throttlePauseMsMax);
  });

  it('ends its wait when the signal aborts', async () => {
    const pacer = createPacer(() => 1);
    for (let times = 0; times < 10; times++) pacer.throttled();
    expect(await waited(pacer, AbortSignal.timeout(20))).to.be.below(1_500);
  });
});

describe('the pacer of a table', () => {
  const forever = new AbortController().signal;
  const access = { roleArn: 'arn:aws:iam::111122223333:role/a', region: 'eu-west-1' };

  it('is one for all that reads the table for a tenant', () => {
    const pacers = createPacers();
    const pacer = pacers.of('t1', access, 'orders');
    expect(pacers.of('t1', { ...access, roleArn: 'arn:aws:iam::111122223333:role/b' }, 'orders')).to.equal(
      pacer,
    );
    for (const other of [
      pacers.of('t2', access, 'orders'),
      pacers.of('t1', access, 'users'),
      pacers.of('t1', { ...access, region: 'eu-west-2' }, 'orders'),
      pacers.of('t1', { ...access, roleArn: 'arn:aws:iam::444455556666:role/a' }, 'orders'),
    ])
      expect(other).to.not.equal(pacer);
  });

  it('is told of by name, also where nobody has read the table yet', () => {
    const told: Throttling[] = [];
    const first = createPacers((throttling) => void told.push(throttling));
    const second = createPacers();
    first.of('t1', access, 'orders').throttled();
    first.of('t1', access, 'orders').throttled(-1);
    expect(told.map(({ pauseMs }) => pauseMs)).to.deep.equal([throttlePauseMsMin]);
    for (const throttling of told) second.slow(throttling);
    expect(second.of('t1', access, 'orders').heldMs()).to.equal(throttlePauseMsMin);
    expect(second.of('t2', access, 'orders').heldMs()).to.equal(0);
  });

  it('lets streams send one after the other once they were throttled', async () => {
    const pacer = createPacer(() => 1);
    pacer.throttled();
    const startMs = performance.now();
    const sentMs = await Promise.all(
      Array.from({ length: 5 }, async () => {
        await pacer.pause(forever);
        return performance.now() - startMs;
      }),
    );
    for (const [i, at] of sentMs.entries()) expect(at).to.be.above((i + 1) * 50 - 10);
  });

  it('lets nobody wait for those who gave up', async () => {
    const pacer = createPacer(() => 1);
    for (let times = 0; times < 3; times++) pacer.throttled();
    const gone = AbortSignal.timeout(10);
    const startMs = performance.now();
    await Promise.all([...Array.from({ length: 50 }, () => pacer.pause(gone)), pacer.pause(forever)]);
    expect(performance.now() - startMs).to.be.within(190, 5_000);
  });

  it('takes requests that were throttled together for one throttling', async () => {
    let nowMs = 0;
    const pacer = createPacer(
      () => 1,
      () => nowMs,
    );
    const sentAtMs = pacer.now();
    nowMs = 10;
    for (let request = 0; request < 8; request++) pacer.throttled(sentAtMs);
    const startMs = performance.now();
    await pacer.pause(forever);
    expect(performance.now() - startMs).to.be.below(1_500);
  });

  it('forgets what was throttled long ago', async () => {
    let nowMs = 0;
    const pacer = createPacer(
      () => 1,
      () => nowMs,
    );
    for (let times = 0; times < 10; times++) pacer.throttled();
    expect(pacer.isHoldingBack()).to.equal(true);
    nowMs = 60_000;
    expect(pacer.isHoldingBack()).to.equal(false);
    const startMs = performance.now();
    await pacer.pause(forever);
    expect(performance.now() - startMs).to.be.below(800);
  });
});
