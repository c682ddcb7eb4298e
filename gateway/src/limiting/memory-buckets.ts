import type { Clock } from '@penstock/common/time/clock.ts';
import type { Rate, TokenBuckets, WaitS } from './token-bucket.ts';

/** Beyond this many, the bucket that was used longest ago is dropped: it is full again, or soon will be. */
const BUCKETS_MAX = 10_000;

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

/** Buckets of this process alone: what holds while Redis is away. */
export function createMemoryBuckets(clock: Clock): TokenBuckets {
  const buckets = new Map<string, Bucket>();

  const take = (key: string, { rps, burst }: Rate): WaitS => {
    const nowMs = clock.now();
    const { tokens, atMs } = buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    const filled = Math.min(burst, tokens + (Math.max(0, nowMs - atMs) * rps) / 1000);
    const allowed = filled >= 1;
    // Deleted and set again, so that the map's order is that of use.
    buckets.delete(key);
    buckets.set(key, { tokens: allowed ? filled - 1 : filled, atMs: nowMs });
    if (buckets.size > BUCKETS_MAX) buckets.delete(buckets.keys().next().value!);
    return allowed ? null : (1 - filled) / rps;
  };
  return Object.freeze({ take: async (key: string, rate: Rate) => take(key, rate) });
}
