import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { LIMITER_REST_MS, LIMITER_WAIT_MS } from '../limits.ts';
import type { Rate, TokenBuckets, WaitS } from './token-bucket.ts';

/**
 * Asks the shared buckets, or this process's own where the shared ones fail or are slow. After a failure the shared
 * ones are left alone for a second, so that a hung Redis does not delay every request.
 */
export function createBucketsWithFallback(options: {
  readonly shared: TokenBuckets;
  readonly own: TokenBuckets;
  readonly clock: Clock;
  readonly logger: Logger;
}): TokenBuckets {
  const { shared, own, clock, logger } = options;
  let restUntil = 0;

  /** Null: no answer in time. */
  const askShared = (key: string, rate: Rate): Promise<{ readonly waitS: WaitS } | null> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => resolve(null), LIMITER_WAIT_MS);
      shared
        .take(key, rate)
        .then((waitS) => resolve({ waitS }), reject)
        .finally(() => clearTimeout(late));
    });

  return Object.freeze({
    async take(key: string, rate: Rate): Promise<WaitS> {
      if (clock.now() < restUntil) return own.take(key, rate);
      let cause: unknown;
      const answer = await askShared(key, rate).catch((error: unknown) => {
        cause = error;
        return null;
      });
      if (answer !== null) return answer.waitS;
      restUntil = clock.now() + LIMITER_REST_MS;
      logger.warn({ err: cause }, 'Redis does not answer; this process keeps rate limits by itself');
      return own.take(key, rate);
    },
  });
}
