/**
 * Counters of budgets in Redis, one for each budget and period: a hash of `spent` and, for each engine, `r:<engine>`, what its
 * pages under way cost at least, and `s:<engine>`, the number of the last settlement that is in `spent`. `life` names the
 * counter: one that was lost and made again has another. All in half units.
 */
import type { Redis } from 'ioredis';
import { redisScript } from '@penstock/common/redis/script.ts';
import { ENGINES_KEY } from '../read-limits/engines.ts';
import type { BudgetLimit } from './limits-of.ts';

export type Reservation =
  | { readonly kind: 'reserved'; readonly lives: readonly string[] }
  /** The counter of this limit is not there: Redis was emptied, or the period has just begun. */
  | { readonly kind: 'missing'; readonly limit: number }
  | {
      readonly kind: 'exceeded';
      readonly limit: number;
      readonly spent: number;
      readonly reserved: number;
    };

export interface Settlement {
  /** Rises with each of the counter; the same one counts once, however often it is sent. */
  readonly number: number;
  readonly cost: number;
  /** Of what was reserved, what is not under way any more. */
  readonly released: number;
  /** All that is still reserved, where it is not certain what Redis has; then it counts, and `released` does not. */
  readonly reserved: number | null;
}

export interface BudgetCounters {
  /** Reserves in all of them, or in none. */
  reserve(limits: readonly BudgetLimit[], least: number): Promise<Reservation>;
  /** The counter's life; null where it is gone. */
  settle(key: string, settlement: Settlement): Promise<string | null>;
  /** Makes the counter, unless another engine was first. Its life. */
  seed(limit: BudgetLimit, spent: number, life: string): Promise<string>;
}

/**
 * What engines reserved that are not there any more counts no longer: their pages have come, or will not.
 * KEYS: the engines, then the counters. ARGV: this engine, what to reserve, the budgets.
 */
const reserveScript = redisScript(`
local lives, least = {}, tonumber(ARGV[2])
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], 'NX', time[1] * 1000, ARGV[1])
for i = 2, #KEYS do
  local life = redis.call('HGET', KEYS[i], 'life')
  if not life then return {'missing', i - 2} end
  lives[i - 1] = life
end
for i = 2, #KEYS do
  local spent, reserved = 0, 0
  local all = redis.call('HGETALL', KEYS[i])
  for f = 1, #all, 2 do
    local name = all[f]
    if name == 'spent' then spent = tonumber(all[f + 1])
    elseif string.sub(name, 1, 2) == 'r:' then
      local engine = string.sub(name, 3)
      if engine == ARGV[1] or redis.call('ZSCORE', KEYS[1], engine) then reserved = reserved + math.max(0, tonumber(all[f + 1]))
      else redis.call('HDEL', KEYS[i], name) end
    end
  end
  if spent + reserved + least > tonumber(ARGV[i + 1]) then return {'exceeded', i - 2, spent, reserved} end
end
for i = 2, #KEYS do redis.call('HINCRBY', KEYS[i], 'r:' .. ARGV[1], least) end
return {'reserved', unpack(lives)}
`);

/** KEYS: the counter. ARGV: this engine; number, cost, released, and reserved or an empty text. */
const settleScript = redisScript(`
local life = redis.call('HGET', KEYS[1], 'life')
if not life then return false end
local isNew = (tonumber(redis.call('HGET', KEYS[1], 's:' .. ARGV[1])) or 0) < tonumber(ARGV[2])
if isNew then
  redis.call('HINCRBY', KEYS[1], 'spent', ARGV[3])
  redis.call('HSET', KEYS[1], 's:' .. ARGV[1], ARGV[2])
  if ARGV[5] == '' then redis.call('HINCRBY', KEYS[1], 'r:' .. ARGV[1], -ARGV[4]) end
end
if ARGV[5] ~= '' then redis.call('HSET', KEYS[1], 'r:' .. ARGV[1], ARGV[5]) end
return life
`);

/** KEYS: the counter. ARGV: life, spent, seconds to keep it. */
const seedScript = redisScript(`
local life = redis.call('HGET', KEYS[1], 'life')
if life then return life end
redis.call('HSET', KEYS[1], 'life', ARGV[1], 'spent', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return ARGV[1]
`);

/** `engine`: as `watchEngines` names it. Each rejects while Redis is away; what was asked for may have been done. */
export function createBudgetCounters(redis: Redis, engine: string): BudgetCounters {
  return Object.freeze({
    async reserve(limits, least) {
      const keys = [ENGINES_KEY, ...limits.map(({ key }) => key)];
      const args = [engine, String(least), ...limits.map(({ halfUnits }) => String(halfUnits))];
      const [kind, ...rest] = (await reserveScript.run(redis, keys, args)) as [string, ...unknown[]];
      if (kind === 'reserved') return { kind, lives: rest.map(String) };
      const [limit = 0, spent = 0, reserved = 0] = rest.map(Number);
      return kind === 'exceeded' ? { kind, limit, spent, reserved } : { kind: 'missing', limit };
    },
    async settle(key, { number, cost, released, reserved }) {
      const args = [
        engine,
        ...[number, cost, released].map(String),
        reserved === null ? '' : String(reserved),
      ];
      const life = await settleScript.run(redis, [key], args);
      return typeof life === 'string' ? life : null;
    },
    async seed({ key, keptS }, spent, life) {
      return String(await seedScript.run(redis, [key], [life, String(spent), String(keptS)]));
    },
  } satisfies BudgetCounters);
}
