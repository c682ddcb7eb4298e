import type { Redis } from 'ioredis';
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import { throttleKeyOf } from '@penstock/common/net/throttle-key.ts';

/** Where a try comes from: an HTTP request, or a connection of another protocol. */
export interface TriesFrom {
  readonly request: { readonly ip?: string | undefined };
}

/** Counts wrong secrets and tokens by the address that presents them. Right ones do not count. */
export interface WrongTries {
  /**
   * Does the work, and counts it where `isWrong` says so, by its result or its error.
   *
   * @throws PenstockError RATE_LIMITED, before anything is looked up, when the address has had its tries
   */
  attempt<T>(from: TriesFrom, work: () => Promise<T>, isWrong: IsWrong<T>): Promise<T>;
}

export interface IsWrong<T> {
  readonly result?: (result: T) => boolean;
  /** The code of the error that says so. */
  readonly code?: PenstockError['code'];
}

interface WrongTriesOptions {
  /** What is counted, in Redis: processes that use one name count together. */
  readonly name: string;
  /** As an error says it: "wrong client secrets". */
  readonly what: string;
  readonly tries: number;
  readonly windowS: number;
  readonly onRefusal?: () => void;
}

/** Counts on Redis, and in this process's memory while Redis is away. Without a Redis, in memory alone. */
export function createWrongTries(
  redis: Redis | null,
  logger: Logger,
  options: WrongTriesOptions,
): WrongTries {
  const { name, what, tries, windowS } = options;
  const settings = { keyPrefix: `penstock:${name}`, points: tries, duration: windowS };
  const memory = new RateLimiterMemory(settings);
  const limiter: RateLimiterAbstract =
    redis === null
      ? memory
      : new RateLimiterRedis({ ...settings, storeClient: redis, insuranceLimiter: memory });

  async function check(key: string): Promise<void> {
    const state = await limiter.get(key).catch((error: unknown) => {
      logger.warn({ err: error }, `${what} cannot be looked up`);
      return null;
    });
    if (state === null || state.consumedPoints < tries) return;
    options.onRefusal?.();
    const retryAfterS = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    throw new PenstockError('RATE_LIMITED', `Too many ${what}; retry after ${retryAfterS} s`, {
      retryAfterS,
    });
  }

  async function count(key: string): Promise<void> {
    await limiter.consume(key).catch((error: unknown) => {
      // Beyond the limit, `consume` rejects with the count.
      if (!(error instanceof RateLimiterRes)) logger.warn({ err: error }, `${what} could not be counted`);
    });
  }

  return Object.freeze({
    async attempt<T>({ request }: TriesFrom, work: () => Promise<T>, isWrong: IsWrong<T>): Promise<T> {
      const key = throttleKeyOf(request.ip ?? '');
      await check(key);
      let result: T;
      try {
        result = await work();
      } catch (error) {
        if (error instanceof PenstockError && error.code === isWrong.code) await count(key);
        throw error;
      }
      if (isWrong.result?.(result) === true) await count(key);
      return result;
    },
  });
}
