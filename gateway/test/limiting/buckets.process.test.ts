import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { connectRedis, redisReady } from '@penstock/common/redis/connect.ts';
import type { Redis } from 'ioredis';
import { until } from '../../../services/common/test/support/until.ts';
import { startTestRedis, type TestRedis } from '../../../services/common/test/usage/support/redis.ts';
import { createBucketsAhead, type TokenStore } from '../../src/limiting/buckets-ahead.ts';
import { createBucketsWithFallback } from '../../src/limiting/buckets-with-fallback.ts';
import { createMemoryBuckets } from '../../src/limiting/memory-buckets.ts';
import { createRedisBuckets } from '../../src/limiting/redis-buckets.ts';
import type { TokenBuckets } from '../../src/limiting/token-bucket.ts';
import { TOKENS_AHEAD_MS } from '../../src/limits.ts';

const logger = createLogger({ service: 't', level: 'silent' });
const RATE = { rps: 10, burst: 4 };
/** Large enough for tokens to be taken ahead, slow enough for none to come meanwhile. */
const WIDE = { rps: 1, burst: 100 };

const sharedBuckets = (redis: Redis): TokenBuckets => createBucketsAhead(createRedisBuckets(redis));

function clockAt(start: number) {
  let now = start;
  return { now: () => now, advance: (ms: number) => void (now += ms) };
}

/** How many of so many requests at once are let in. */
async function admitted(buckets: TokenBuckets, key: string, requests: number, rate = RATE): Promise<number> {
  const waits = await Promise.all(Array.from({ length: requests }, () => buckets.take(key, rate)));
  return waits.filter((waitS) => waitS === null).length;
}

describe('token buckets', () => {
  describe('in memory', () => {
    it('let in the burst at once, then the rate, up to the burst again', async () => {
      const clock = clockAt(1_000);
      const buckets = createMemoryBuckets(clock);
      expect(await admitted(buckets, 't', 10)).to.equal(4);
      expect(await buckets.take('t', RATE)).to.be.closeTo(0.1, 1e-9);
      clock.advance(100);
      expect(await admitted(buckets, 't', 10)).to.equal(1);
      clock.advance(250);
      expect(await admitted(buckets, 't', 10)).to.equal(2);
      clock.advance(3_600_000);
      expect(await admitted(buckets, 't', 10)).to.equal(4);
    });

    it('are apart by key, and survive a clock that goes back', async () => {
      const clock = clockAt(10_000);
      const buckets = createMemoryBuckets(clock);
      expect(await admitted(buckets, 'a', 9)).to.equal(4);
      expect(await admitted(buckets, 'b', 9)).to.equal(4);
      clock.advance(-5_000);
      expect(await admitted(buckets, 'a', 9)).to.equal(0);
    });

    it('hold a bounded number of keys', async () => {
      const clock = clockAt(0);
      const buckets = createMemoryBuckets(clock);
      await admitted(buckets, 'first', 9);
      for (let i = 0; i < 10_000; i++) await buckets.take(`k${i}`, RATE);
      expect(await admitted(buckets, 'first', 9)).to.equal(4);
    });
  });

  describe('on Redis', () => {
    let server: TestRedis;
    let redis: Redis;
    before(async () => {
      server = await startTestRedis();
      redis = connectRedis(server.url, { logger, role: 'commands' });
      await redisReady(redis, 2_000);
    });
    after(async () => {
      redis.disconnect();
      await server.close();
    });

    it('are shared by all gateways, exact under load, and refilled at the rate', async () => {
      const second = connectRedis(server.url, { logger, role: 'commands' });
      await redisReady(second, 2_000);
      const [one, two] = [sharedBuckets(redis), sharedBuckets(second)];
      const began = performance.now();
      const counts = await Promise.all([admitted(one, 'shared', 20), admitted(two, 'shared', 20)]);
      // On a busy machine tokens come while these are taken.
      const come = (): number => ((performance.now() - began) / 1_000) * RATE.rps;
      expect(counts[0] + counts[1]).to.be.within(RATE.burst, RATE.burst + 1 + come());
      const waitS = (await one.take('shared', RATE)) ?? 0;
      expect(waitS).to.be.within(0, 1 / RATE.rps);
      // Sleeps: tokens come at their rate.
      await sleep(220);
      const later = await admitted(one, 'shared', 20);
      expect(later).to.be.within(2, RATE.burst);
      expect(counts[0] + counts[1] + later).to.be.at.most(RATE.burst + 1 + come());
      second.disconnect();
    });

    it('take rates below one a second, and leave no key behind for ever', async () => {
      const buckets = sharedBuckets(redis);
      const slow = { rps: 0.5, burst: 1 };
      expect(await buckets.take('slow', slow)).to.equal(null);
      expect(await buckets.take('slow', slow)).to.be.within(1.8, 2);
      expect(await redis.pttl('penstock:rate:slow')).to.be.within(2_000, 3_000);
    });

    it('are asked once for several requests, and let in no more than the burst', async () => {
      const store = createRedisBuckets(redis);
      let asked = 0;
      const counting: TokenStore = {
        take: (...args) => {
          asked++;
          return store.take(...args);
        },
      };
      const [one, two] = [createBucketsAhead(counting), createBucketsAhead(store)];
      for (let i = 0; i < 30; i++) {
        expect(await one.take('ahead', WIDE)).to.equal(null);
        await sleep(1);
      }
      expect(asked).to.be.below(15);
      const counts = await Promise.all([
        admitted(one, 'ahead', 100, WIDE),
        admitted(two, 'ahead', 100, WIDE),
      ]);
      expect(30 + counts[0] + counts[1]).to.be.within(100, 102);
    });

    it('get back what was taken ahead and not used', async () => {
      const tokens = async (): Promise<number> => Number(await redis.hget('penstock:rate:back', 'tokens'));
      expect(await sharedBuckets(redis).take('back', WIDE)).to.equal(null);
      expect(await tokens()).to.equal(94);
      await until(async () => (await tokens()) >= 99, { what: 'it is given back' });
      expect(await tokens()).to.be.at.most(100);
    });

    it('that are half empty are shared token by token', async () => {
      expect(await admitted(createBucketsAhead(createRedisBuckets(redis)), 'half', 60, WIDE)).to.equal(60);
      // Sleeps: shows that nothing is given back that was not taken ahead.
      await sleep(TOKENS_AHEAD_MS + 200);
      expect(await sharedBuckets(redis).take('half', WIDE)).to.equal(null);
      expect(Number(await redis.hget('penstock:rate:half', 'tokens'))).to.be.within(39, 40);
    });

    it('fall back to memory within 200 ms when Redis hangs, and rest instead of waiting each time', async () => {
      const clock = { now: () => Date.now() };
      const buckets = createBucketsWithFallback({
        shared: sharedBuckets(redis),
        own: createMemoryBuckets(clock),
        clock,
        logger,
      });
      expect(await buckets.take('hung', RATE)).to.equal(null);
      server.freeze();
      try {
        let start = performance.now();
        expect(await buckets.take('hung', RATE)).to.equal(null);
        expect(performance.now() - start).to.be.within(100, 2_000);
        start = performance.now();
        expect(await admitted(buckets, 'hung', 20)).to.equal(3);
        expect(performance.now() - start).to.be.below(1_000);
      } finally {
        server.thaw();
      }
      // Sleeps: Redis is not asked again before its rest is over.
      await sleep(1_100);
      await until(() => redis.status === 'ready');
      expect(await admitted(buckets, 'anew', 20)).to.equal(4);
      expect(await redis.exists('penstock:rate:anew')).to.equal(1);
    });

    it('fall back at once when Redis is dead', async () => {
      const clock = { now: () => Date.now() };
      const lost = connectRedis('redis://127.0.0.1:1', { logger, role: 'commands' });
      const buckets = createBucketsWithFallback({
        shared: sharedBuckets(lost),
        own: createMemoryBuckets(clock),
        clock,
        logger,
      });
      const start = performance.now();
      expect(await admitted(buckets, 'dead', 20)).to.equal(4);
      expect(performance.now() - start).to.be.below(1_500);
      lost.disconnect();
    });
  });
});
