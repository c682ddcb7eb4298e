/** How many engines share what Redis has, as Redis last said. */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { ENGINE_FORGOTTEN_MS, ENGINE_SEEN_EVERY_MS } from '../limits.ts';

/** A sorted set of the engines that there are, by when they last showed it. */
export const ENGINES_KEY = 'penstock:engines';

export interface Engines {
  /** At least this one. */
  readonly count: number;
  /** This one's name. */
  readonly self: string;
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
      .zadd(ENGINES_KEY, now, self)
      .zremrangebyscore(ENGINES_KEY, '-inf', now - ENGINE_FORGOTTEN_MS)
      .zcard(ENGINES_KEY)
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
    self,
    get count() {
      return count;
    },
    close() {
      clearInterval(timer);
      redis.off('ready', lookQuietly);
      redis.zrem(ENGINES_KEY, self).catch(() => undefined);
    },
  };
}
