import type { Redis } from 'ioredis';
import type { Rate, TokenBuckets } from './token-bucket.ts';

/**
 * One bucket, shared by all gateways. Time is Redis's own, so that clocks of gateways need not agree. Answers -1, or the
 * milliseconds to wait. The key lives until the bucket would be full.
 */
const TAKE = `
local rps = tonumber(ARGV[1])
local burst = tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = tonumber(bucket[1]) or burst
local at = tonumber(bucket[2]) or now
local filled = math.min(burst, tokens + math.max(0, now - at) * rps / 1000)
local wait = -1
if filled >= 1 then filled = filled - 1 else wait = math.ceil((1 - filled) * 1000 / rps) end
redis.call('HSET', KEYS[1], 'tokens', tostring(filled), 'at', string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(burst * 1000 / rps) + 1000)
return wait
`;

const KEY_PREFIX = 'penstock:rate:';

/** Rejects while Redis is away. */
export function createRedisBuckets(redis: Redis): TokenBuckets {
  return Object.freeze({
    async take(key: string, { rps, burst }: Rate) {
      const waitMs = Number(await redis.eval(TAKE, 1, `${KEY_PREFIX}${key}`, rps, burst));
      return waitMs < 0 ? null : waitMs / 1000;
    },
  });
}
