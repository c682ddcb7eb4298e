/** The limits of read units a second: a lease for each bucket that is in use. */
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import type { BucketMessage, PageQuestion } from '../../pipe/messages.ts';
import { BUCKETS_KEPT, DEFAULT_BURST_MS, SET_BURST_MS } from '../limits.ts';
import { createLease, type Allowed, type Lease } from './lease.ts';
import type { Filling, SharedBuckets } from './shared-buckets.ts';

export interface RateLimits {
  /** Waits until a page may be read. Throws the signal's reason. */
  enter(
    tenantId: string,
    bucket: BucketMessage,
    cost: Pick<PageQuestion, 'most'>,
    signal: AbortSignal,
  ): Promise<Allowed>;
}

/** A limit that somebody set holds at any moment; one by default lets through at once what was not used before. */
function fillingOf({ unitsPerSecond, isSet }: BucketMessage): Filling {
  const rate = unitsPerSecond * 2;
  return { rate, burst: Math.max(1, (rate * (isSet ? SET_BURST_MS : DEFAULT_BURST_MS)) / 1000) };
}

/** `onWait`: told how long each page waited that did, milliseconds. */
export function createRateLimits(
  buckets: SharedBuckets,
  onWait: (waitedMs: number) => void = () => undefined,
): RateLimits {
  const leases = boundedCache<Lease>(BUCKETS_KEPT);
  const leaseOf = (tenantId: string, bucket: BucketMessage): Lease => {
    const key = JSON.stringify([tenantId, bucket.name]);
    // After a change of the limit the old lease ends with its last page.
    const known = `${key} ${bucket.unitsPerSecond} ${bucket.isSet}`;
    const lease = leases.get(known) ?? createLease(key, fillingOf(bucket), buckets);
    leases.set(known, lease);
    return lease;
  };
  return Object.freeze({
    async enter(tenantId, bucket, cost, signal) {
      const asked = performance.now();
      const allowed = await leaseOf(tenantId, bucket).enter(cost, signal);
      const waitedMs = performance.now() - asked;
      if (waitedMs >= 1) onWait(waitedMs);
      return allowed;
    },
  } satisfies RateLimits);
}
