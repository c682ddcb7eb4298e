/** Token buckets in Redis, one for all engines. Tokens are half read units. */
import type { Redis } from 'ioredis';
import { redisScript } from '@penstock/common/redis/script.ts';

/** How a bucket fills: half units a second, up to `burst`. */
export interface Filling {
  readonly rate: number;
  readonly burst: number;
}

export interface Taking extends Filling {
  readonly key: string;
  /** Tokens that were used without having been taken; the bucket goes below zero by them. */
  readonly debt: number;
  /** Tokens to take, as far as there are any. */
  readonly want: number;
  /** Nobody gets any for so long, milliseconds: DynamoDB throttles the table. */
  readonly holdMs: number;
}

export interface Taken {
  readonly tokens: number;
  /** Where there are none: when to ask again, milliseconds. */
  readonly waitMs: number;
}

export interface SharedBuckets {
  /** Rejects while Redis is away. */
  take(taking: Taking): Promise<Taken>;
}

/**
 * Time is Redis's own, so that clocks of engines need not agree. A bucket that nobody knows is full. The key lives until the
 * bucket would be full. Numbers with fractions cross as text, since Redis cuts those of Lua.
 */
const takeScript = redisScript(`
local rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local debt, want, hold = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at', 'held')
local tokens = tonumber(bucket[1]) or burst
local at = tonumber(bucket[2]) or now
local held = math.max(tonumber(bucket[3]) or 0, hold > 0 and now + hold or 0)
local filled = math.min(burst, tokens + math.max(0, now - at) * rate / 1000) - debt
local taken, wait = 0, 0
if now < held then wait = held - now
elseif filled > 0 then
  taken = math.min(filled, want)
  filled = filled - taken
end
if taken == 0 then wait = math.max(wait, 1 - filled * 1000 / rate) end
redis.call('HSET', KEYS[1], 'tokens', string.format('%.6f', filled), 'at', string.format('%.3f', now),
  'held', string.format('%.3f', held))
redis.call('PEXPIRE', KEYS[1], math.ceil((burst - filled) * 1000 / rate + math.max(0, held - now)) + 1000)
return {string.format('%.6f', taken), math.ceil(wait)}
`);

const KEY_PREFIX = 'penstock:read-limit:';

export function createSharedBuckets(redis: Redis): SharedBuckets {
  return Object.freeze({
    async take({ key, rate, burst, debt, want, holdMs }) {
      const args = [rate, burst, debt, want, holdMs].map(String);
      const answer = await takeScript.run(redis, [`${KEY_PREFIX}${key}`], args);
      const [tokens = 0, waitMs = 0] = Array.isArray(answer) ? answer.map(Number) : [];
      return { tokens, waitMs };
    },
  } satisfies SharedBuckets);
}
