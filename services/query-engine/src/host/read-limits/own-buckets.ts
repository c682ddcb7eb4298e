/** Token buckets of this engine alone: its share of what all have, for while Redis is away. */
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import { BUCKETS_KEPT } from '../limits.ts';
import type { SharedBuckets } from './shared-buckets.ts';

interface Bucket {
  readonly tokens: number;
  readonly at: number;
  readonly heldUntil: number;
}

/**
 * `engines`: how many there are, as last seen. A bucket is empty at first: what Redis gave of it may be in use.
 * `now`: milliseconds.
 */
export function createOwnBuckets(
  engines: () => number,
  now: () => number = () => performance.now(),
): Pick<SharedBuckets, 'take'> {
  const buckets = boundedCache<Bucket>(BUCKETS_KEPT);
  return Object.freeze({
    async take({ key, rate, burst, debt, want, holdMs }) {
      const at = now();
      const share = 1 / Math.max(1, engines());
      const known = buckets.get(key) ?? { tokens: 0, at, heldUntil: 0 };
      const heldUntil = Math.max(known.heldUntil, holdMs > 0 ? at + holdMs : 0);
      const perMs = (rate * share) / 1000;
      const filled = Math.min(burst * share, known.tokens + (at - known.at) * perMs) - debt;
      const tokens = at < heldUntil ? 0 : Math.max(0, Math.min(filled, want));
      buckets.set(key, { tokens: filled - tokens, at, heldUntil });
      const waitMs = tokens > 0 ? 0 : Math.ceil(Math.max(heldUntil - at, 1 - filled / perMs));
      return { tokens, waitMs };
    },
  } satisfies SharedBuckets);
}
