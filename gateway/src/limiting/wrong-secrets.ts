import type { Redis } from 'ioredis';
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import { MAX_WRONG_SECRETS, WRONG_SECRETS_WINDOW_S } from '../limits.ts';

/** Counts wrong client secrets by address. Right ones do not count. */
export interface WrongSecrets {
  /** @throws PenstockError RATE_LIMITED when the address has had its tries */
  check(address: string): Promise<void>;
  /** To be called after each wrong secret. */
  count(address: string): Promise<void>;
}

const options = {
  keyPrefix: 'penstock:secrets',
  points: MAX_WRONG_SECRETS,
  duration: WRONG_SECRETS_WINDOW_S,
};

/** On Redis, with this process's memory while Redis is away; on memory alone where there is none. */
export function createWrongSecrets(
  redis: Redis | null,
  logger: Logger,
  onRefusal?: () => void,
): WrongSecrets {
  const memory = new RateLimiterMemory(options);
  const limiter: RateLimiterAbstract =
    redis === null
      ? memory
      : new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: memory });

  return Object.freeze({
    async check(address: string): Promise<void> {
      const state = await limiter.get(address).catch((error: unknown) => {
        logger.warn({ err: error }, 'wrong secrets cannot be looked up');
        return null;
      });
      if (state === null || state.consumedPoints < MAX_WRONG_SECRETS) return;
      onRefusal?.();
      const retryAfterS = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
      throw new PenstockError('RATE_LIMITED', `Too many wrong client secrets; retry after ${retryAfterS} s`, {
        retryAfterS,
      });
    },
    async count(address: string): Promise<void> {
      await limiter.consume(address).catch((error: unknown) => {
        // Beyond the limit it rejects with the count itself.
        if (!(error instanceof RateLimiterRes))
          logger.warn({ err: error }, 'a wrong secret could not be counted');
      });
    },
  });
}
