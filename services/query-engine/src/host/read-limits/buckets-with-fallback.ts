/** The shared buckets, or this engine's own share of them while Redis is away or slow. */
import { within } from '@penstock/common/time/within.ts';
import { BUCKET_REST_MS, BUCKET_WAIT_MS_MAX } from '../limits.ts';
import type { SharedBuckets } from './shared-buckets.ts';

export function createBucketsWithFallback(parts: {
  readonly shared: SharedBuckets;
  readonly own: SharedBuckets;
  /** Told of each failure; Redis is left alone for a while then. */
  readonly onFallback: (error: unknown) => void;
  readonly now?: () => number;
}): SharedBuckets {
  const { shared, own, onFallback, now = () => performance.now() } = parts;
  let restUntil = -Infinity;
  return Object.freeze({
    async take(taking) {
      if (now() < restUntil) return own.take(taking);
      try {
        return await within(BUCKET_WAIT_MS_MAX, shared.take(taking));
      } catch (error) {
        restUntil = now() + BUCKET_REST_MS;
        onFallback(error);
        return own.take(taking);
      }
    },
  } satisfies SharedBuckets);
}
