/** Texts in Redis that are kept for a few minutes, so many of each tenant; the oldest go first. */
import type { Redis } from 'ioredis';
import { redisScript } from '@penstock/common/redis/script.ts';

export interface KeptTexts {
  /** Null where there is none. Both reject while Redis is away. */
  find(tenantId: string, name: string): Promise<string | null>;
  keep(tenantId: string, name: string, text: string): Promise<void>;
}

export interface KeptTextsBounds {
  readonly keptMs: number;
  readonly perTenantMax: number;
}

/** By Redis's own time. What has been kept for long enough is gone when it is asked for, and once another one is kept. */
const findScript = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local at = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[1]))
if not at or now - at >= tonumber(ARGV[2]) then return false end
return redis.call('HGET', KEYS[1], ARGV[1])
`);

const keepScript = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local kept, most = tonumber(ARGV[3]), tonumber(ARGV[4])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], now, ARGV[1])
local gone = redis.call('ZRANGE', KEYS[2], '-inf', now - kept, 'BYSCORE')
local over = redis.call('ZCARD', KEYS[2]) - #gone - most
if over > 0 then gone = redis.call('ZRANGE', KEYS[2], 0, #gone + over - 1) end
for _, name in ipairs(gone) do
  redis.call('ZREM', KEYS[2], name)
  redis.call('HDEL', KEYS[1], name)
end
redis.call('PEXPIRE', KEYS[1], kept)
redis.call('PEXPIRE', KEYS[2], kept)
`);

const keysOf = (tenantId: string): readonly string[] => [
  `penstock:page-positions:{${tenantId}}`,
  `penstock:page-positions:{${tenantId}}:at`,
];

export function createKeptTexts(redis: Redis, { keptMs, perTenantMax }: KeptTextsBounds): KeptTexts {
  return Object.freeze({
    async find(tenantId, name) {
      const found = await findScript.run(redis, keysOf(tenantId), [name, String(keptMs)]);
      return typeof found === 'string' ? found : null;
    },
    async keep(tenantId, name, text) {
      const bounds = [String(keptMs), String(perTenantMax)];
      await keepScript.run(redis, keysOf(tenantId), [name, text, ...bounds]);
    },
  } satisfies KeptTexts);
}
