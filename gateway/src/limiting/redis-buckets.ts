import type { Redis } from 'ioredis';
import { redisScript } from '@penstock/common/redis/script.ts';
import type { TokenStore } from './buckets-ahead.ts';

/**
 * One bucket, shared by all gateways. Time is Redis's own, so that clocks of gateways need not agree. Takes one token
 * where `need` is 1, then `ahead` more where half of the burst would still be left, or gives back as many as `ahead` is
 * below 0. Answers -1 or the milliseconds to wait, and how many were taken ahead. The key lives until the bucket would
 * be full.
 */
const takeScript = redisScript(`
local rps = tonumber(ARGV[1])
local burst = tonumber(ARGV[2])
local need = tonumber(ARGV[3])
local ahead = tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = tonumber(bucket[1]) or burst
local at = tonumber(bucket[2]) or now
local filled = math.min(burst, tokens + math.max(0, now - at) * rps / 1000)
local wait = -1
local spare = 0
if filled >= need then filled = filled - need else wait = math.ceil((need - filled) * 1000 / rps) end
if ahead < 0 then
  filled = math.min(burst, filled - ahead)
elseif wait < 0 and filled - ahead >= burst / 2 then
  filled = filled - ahead
  spare = ahead
end
redis.call('HSET', KEYS[1], 'tokens', tostring(filled), 'at', string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(burst * 1000 / rps) + 1000)
return {wait, spare}
`);

const KEY_PREFIX = 'penstock:rate:';

/** Rejects while Redis is away. */
export function createRedisBuckets(redis: Redis): TokenStore {
  return Object.freeze({
    async take(key, { rps, burst }, need, ahead) {
      const answer = await takeScript.run(
        redis,
        [`${KEY_PREFIX}${key}`],
        [rps, burst, need, ahead].map(String),
      );
      const [waitMs = 0, spare = 0] = Array.isArray(answer) ? answer.map(Number) : [];
      return { waitS: waitMs < 0 ? null : waitMs / 1000, spare };
    },
  } satisfies TokenStore);
}
