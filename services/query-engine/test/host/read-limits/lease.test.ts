import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../../../../common/test/support/until.ts';
import { createLease, type Allowed } from '../../../src/host/read-limits/lease.ts';
import { createOwnBuckets } from '../../../src/host/read-limits/own-buckets.ts';
import { createBucketsWithFallback } from '../../../src/host/read-limits/buckets-with-fallback.ts';
import type { SharedBuckets } from '../../../src/host/read-limits/shared-buckets.ts';

const never = new AbortController().signal;

/** Tokens that a test hands out, and what was asked. */
function playedBuckets(tokens: number) {
  let left = tokens;
  const asked: { debt: number; want: number; holdMs: number }[] = [];
  const buckets: SharedBuckets = {
    async take({ debt, want, holdMs }) {
      asked.push({ debt, want, holdMs });
      left -= debt;
      const taken = Math.max(0, Math.min(left, want));
      left -= taken;
      return { tokens: taken, waitMs: 1 };
    },
  };
  return { buckets, asked, give: (more: number) => void (left += more) };
}

const isWaiting = async (entering: Promise<Allowed>): Promise<boolean> =>
  // Sleeps: it proves that nobody is let in.
  (await Promise.race([entering, sleep(80, null)])) === null;

describe('a lease of a bucket', () => {
  it('lets a page begin while there are tokens, and the next once what it took too much is paid back', async () => {
    const { buckets, asked, give } = playedBuckets(1);
    const lease = createLease('k', { rate: 100, burst: 2 }, buckets);
    const first = await lease.enter({ most: 256 }, never);
    const second = lease.enter({ most: 256 }, never);
    expect(await isWaiting(second)).to.equal(true);
    first.settle(200, 0);
    expect(await isWaiting(second)).to.equal(true);
    expect(asked.some(({ debt }) => debt > 0)).to.equal(true);
    give(198);
    expect(await isWaiting(second)).to.equal(true);
    give(10);
    (await second).settle(1, 0);
  });

  it('lets pages go side by side where all but the last are covered', async () => {
    const { buckets } = playedBuckets(20);
    const lease = createLease('k', { rate: 1000, burst: 20 }, buckets);
    const pages = await Promise.all([1, 2, 3].map(() => lease.enter({ most: 8 }, never)));
    const fourth = lease.enter({ most: 8 }, never);
    expect(await isWaiting(fourth)).to.equal(true);
    // It cost less than it might have.
    pages[0]?.settle(1, 0);
    await fourth;
  });

  it('forgets whoever gave up waiting', async () => {
    const { buckets, give } = playedBuckets(0);
    const lease = createLease('k', { rate: 100, burst: 2 }, buckets);
    const giving = new AbortController();
    const gone = lease.enter({ most: 1 }, giving.signal).catch((reason: unknown) => reason);
    const staying = lease.enter({ most: 1 }, never);
    giving.abort('gone');
    expect(await gone).to.equal('gone');
    give(1);
    await staying;
  });

  it('tells all engines to leave a table alone that DynamoDB throttles', async () => {
    const { buckets, asked } = playedBuckets(10);
    const lease = createLease('k', { rate: 100, burst: 10 }, buckets);
    (await lease.enter({ most: 1 }, never)).settle(0, 300);
    await until(() => asked.at(-1)?.holdMs === 300, { what: 'telling them' });
  });
});

describe('buckets while Redis is away', () => {
  it("are an engine's own share", async () => {
    let now = 0;
    const own = createOwnBuckets(
      () => 2,
      () => now,
    );
    const taking = { key: 'k', rate: 100, burst: 10, debt: 0, want: 100, holdMs: 0 };
    expect((await own.take(taking)).tokens).to.equal(0);
    now = 40;
    expect((await own.take(taking)).tokens).to.equal(2);
    now = 10_000;
    expect((await own.take(taking)).tokens).to.equal(5);
  });

  it('are asked for a second after a failure, then Redis is', async () => {
    let now = 0;
    const failing = { isAway: true, asked: 0 };
    const buckets = createBucketsWithFallback({
      shared: {
        take: async () => {
          failing.asked++;
          if (failing.isAway) throw new Error('away');
          return { tokens: 7, waitMs: 0 };
        },
      },
      own: { take: async () => ({ tokens: 3, waitMs: 0 }) },
      onFallback: () => undefined,
      now: () => now,
    });
    const taking = { key: 'k', rate: 100, burst: 10, debt: 0, want: 100, holdMs: 0 };
    expect((await buckets.take(taking)).tokens).to.equal(3);
    failing.isAway = false;
    expect((await buckets.take(taking)).tokens).to.equal(3);
    expect(failing.asked).to.equal(1);
    now = 2_000;
    expect((await buckets.take(taking)).tokens).to.equal(7);
  });
});
