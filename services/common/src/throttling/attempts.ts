import type { Redis } from 'ioredis';
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { Logger } from '../logging/logger.ts';

/** Seconds until the next try counts; null: go on. */
type Refusal = number | null;

/** Counts tries by key in fixed windows. */
export interface Attempts {
  /** Counts a try, and refuses it where the window has no more: of parallel tries no more than the limit go on. */
  take(key: string): Promise<Refusal>;
  /** For tries that turned out not to count. */
  giveBack(key: string): Promise<void>;
  /** Whether a try would be refused, without counting it. */
  peek(key: string): Promise<Refusal>;
}

interface AttemptsOptions {
  /** What is counted; shared by all processes that use the same name. */
  readonly name: string;
  readonly tries: number;
  readonly windowS: number;
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));

/**
 * On Redis, so that all replicas count together, and in this process's memory while Redis is away: a limit that forgets
 * is better than one that lets nobody in.
 */
export function createAttempts(redis: Redis | null, logger: Logger, options: AttemptsOptions): Attempts {
  const settings = {
    keyPrefix: `penstock:${options.name}`,
    points: options.tries,
    duration: options.windowS,
  };
  const memory = new RateLimiterMemory(settings);
  const limiter: RateLimiterAbstract =
    redis === null
      ? memory
      : new RateLimiterRedis({ ...settings, storeClient: redis, insuranceLimiter: memory });
  const failed = (error: unknown): null => {
    logger.warn({ err: error }, `tries cannot be counted: ${options.name}`);
    return null;
  };

  return Object.freeze({
    async take(key: string): Promise<Refusal> {
      try {
        await limiter.consume(key);
        return null;
      } catch (error) {
        return error instanceof RateLimiterRes ? secondsOf(error) : failed(error);
      }
    },
    async giveBack(key: string): Promise<void> {
      await limiter.reward(key).catch(failed);
    },
    async peek(key: string): Promise<Refusal> {
      const state = await limiter.get(key).catch(failed);
      return state === null || state.consumedPoints < options.tries ? null : secondsOf(state);
    },
  });
}

/** The same, with keys that come in several spellings: each is counted by what `keyOf` makes of it. */
export function keyedBy(keyOf: (given: string) => string, attempts: Attempts): Attempts {
  return Object.freeze({
    take: (given: string) => attempts.take(keyOf(given)),
    giveBack: (given: string) => attempts.giveBack(keyOf(given)),
    peek: (given: string) => attempts.peek(keyOf(given)),
  });
}
