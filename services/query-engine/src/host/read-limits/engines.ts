/** How many engines share what Redis has, as Redis last said. */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { ENGINE_FORGOTTEN_MS, ENGINE_SEEN_EVERY_MS } from '../limits.ts';

const KEY = 'penstock:engines';

export interface Engines {
  /** At least this one. */
  readonly count: number;
  close(): void;
}

/** Shows that this one is there, now and then, and counts. While Redis is away the last count stands. */
export function watchEngines(redis: Redis): Engines {
  const self = randomUUID();
  let count = 1;
  const look = async (): Promise<void> => {
    const now = Date.now();
    const answers = await redis
      .multi()
      .zadd(KEY, now, self)
      .zremrangebyscore(KEY, '-inf', now - ENGINE_FORGOTTEN_MS)
      .zcard(KEY)
      .exec();
    const seen = Number(answers?.[2]?.[1]);
    if (seen >= 1) count = seen;
  };
  const lookQuietly = (): void => void look().catch(() => undefined);
  if (redis.status === 'ready') lookQuietly();
  else redis.once('ready', lookQuietly);
  const timer = setInterval(lookQuietly, ENGINE_SEEN_EVERY_MS);
  timer.unref();
  return {
    get count() {
      return count;
    },
    close() {
      clearInterval(timer);
      redis.off('ready', lookQuietly);
      redis.zrem(KEY, self).catch(() => undefined);
    },
  };
}
