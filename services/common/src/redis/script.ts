import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** A Lua script that Redis runs in one step. It is loaded when it is first asked for, and after a restart of Redis. */
interface RedisScript {
  /** Rejects with the client's error; the script may have run all the same. */
  run(
    redis: Pick<Redis, 'eval' | 'evalsha'>,
    keys: readonly string[],
    args: readonly string[],
  ): Promise<unknown>;
}

export function redisScript(text: string): RedisScript {
  const sha = createHash('sha1').update(text).digest('hex');
  return Object.freeze({
    async run(
      redis: Pick<Redis, 'eval' | 'evalsha'>,
      keys: readonly string[],
      args: readonly string[],
    ): Promise<unknown> {
      try {
        return await redis.evalsha(sha, keys.length, ...keys, ...args);
      } catch (error) {
        // Redis forgets scripts when it restarts.
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
        return redis.eval(text, keys.length, ...keys, ...args);
      }
    },
  });
}
