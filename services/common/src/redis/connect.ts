import { Redis } from 'ioredis';
import type { Logger } from '../logging/logger.ts';

/** A command that Redis has not answered by then fails. */
const COMMAND_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
const RECONNECT_DELAY_MS = Object.freeze({ step: 50, max: 1_000 });

interface RedisConnectOptions {
  readonly logger: Logger;
  /**
   * `commands`: for callers that can do without Redis; every command ends within a second. `queue`: for BullMQ, whose
   * blocking commands wait for as long as they have to.
   */
  readonly role: 'commands' | 'queue';
}

const ROLES = Object.freeze({
  commands: {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
  },
  queue: { maxRetriesPerRequest: null, enableOfflineQueue: true },
} satisfies Record<RedisConnectOptions['role'], object>);

/**
 * A connection that is opened in the background, and opened again whenever it breaks. While Redis is away, commands
 * of the `commands` role fail at once. The caller closes it: `disconnect()`.
 */
export function connectRedis(url: string, { logger, role }: RedisConnectOptions): Redis {
  const redis = new Redis(url, {
    ...ROLES[role],
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAlive: 10_000,
    retryStrategy: (attempt) => Math.min(attempt * RECONNECT_DELAY_MS.step, RECONNECT_DELAY_MS.max),
  });
  let away = false;
  // ioredis says this at every attempt; the log needs to hear it once.
  redis.on('error', (error: Error) => {
    if (!away) logger.warn({ err: error }, 'Redis is not available');
    away = true;
  });
  redis.on('ready', () => {
    if (away) logger.info('Redis is available again');
    away = false;
  });
  return redis;
}

/** Resolves when the connection is ready; false when it is not within the time. Never rejects. */
export function redisReady(redis: Redis, timeoutMs: number): Promise<boolean> {
  if (redis.status === 'ready') return Promise.resolve(true);
  return new Promise((resolve) => {
    const done = (ready: boolean): void => {
      clearTimeout(timer);
      redis.off('ready', onReady);
      resolve(ready);
    };
    const onReady = (): void => done(true);
    const timer = setTimeout(() => done(false), timeoutMs);
    redis.once('ready', onReady);
  });
}
