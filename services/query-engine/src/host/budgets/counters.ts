/**
 * Counters of budgets in Redis, one for each budget and period: a hash of `spent` and, for each engine, `r:<engine>`, what its
 * pages under way cost at most, `l:<engine>`, what they cost at least, and `s:<engine>`, the number of the last settlement
 * that is in `spent`. `life` names the counter: one that was lost and made again has another. All in half units.
 *
 * A page begins where the least that pages cost is left, and all under way together overdraw the budget by a page of a
 * megabyte at most. A page that is larger begins where those under way cannot overdraw it. So one page is what a budget is
 * overdrawn by, over all engines, and small pages go on side by side.
 */
import type { Redis } from 'ioredis';
import { redisScript } from '@penstock/common/redis/script.ts';
import { PAGE_HALF_UNITS } from '../limits.ts';
import { ENGINES_KEY } from '../read-limits/engines.ts';
import type { PageQuestion } from '../../pipe/messages.ts';
import type { BudgetLimit } from './limits-of.ts';

/** What a page costs whatever it finds, and what it may cost at most: half units. */
export type PageCost = Pick<PageQuestion, 'least' | 'most'>;

export type Reservation =
  | { readonly kind: 'reserved'; readonly lives: readonly string[] }
  /** The counter of this limit is not there: Redis was emptied, or the period has just begun. */
  | { readonly kind: 'missing'; readonly limit: number }
  /** `busy`: it may fit once those under way have come, which may cost less than is reserved for them. */
  | {
      readonly kind: 'exceeded' | 'busy';
      readonly limit: number;
      readonly spent: number;
      readonly reserved: number;
    };

export interface Settlement {
  /** Rises with each of the counter; the same one counts once, however often it is sent. */
  readonly number: number;
  readonly cost: number;
  /** Of what was reserved, what is not under way any more. */
  readonly released: PageCost;
  /** All that is still reserved, where it is not certain what Redis has; then it counts, and `released` does not. */
  readonly reserved: PageCost | null;
}

export interface BudgetCounters {
  /** Reserves in all of them, or in none. */
  reserve(limits: readonly BudgetLimit[], cost: PageCost): Promise<Reservation>;
  /** The counter's life; null where it is gone. */
  settle(key: string, settlement: Settlement): Promise<string | null>;
  /** Makes the counter, unless another engine was first. Its life. */
  seed(limit: BudgetLimit, spent: number, life: string): Promise<string>;
}

/**
 * What engines reserved that are not there any more counts no longer: their pages have come, or will not.
 * KEYS: the engines, then the counters. ARGV: this engine, what the page costs at least and at most, what a
 * budget may be overdrawn by, the budgets.
 */
const reserveScript = redisScript(`
local answer, busy, least, most, overdraft = {'reserved'}, nil, tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], 'NX', time[1] * 1000, ARGV[1])
for i = 2, #KEYS do
  local life = redis.call('HGET', KEYS[i], 'life')
  if not life then return {'missing', i - 2} end
  answer[i] = life
end
for i = 2, #KEYS do
  local spent, reserved, certain, budget = 0, 0, 0, tonumber(ARGV[i + 3])
  local all = redis.call('HGETALL', KEYS[i])
  for f = 1, #all, 2 do
    local name, kind = all[f], string.sub(all[f], 1, 2)
    if name == 'spent' then spent = tonumber(all[f + 1])
    elseif kind == 'r:' or kind == 'l:' then
      local engine, halfUnits = string.sub(name, 3), math.max(0, tonumber(all[f + 1]))
      if engine ~= ARGV[1] and not redis.call('ZSCORE', KEYS[1], engine) then redis.call('HDEL', KEYS[i], name)
      elseif kind == 'r:' then reserved = reserved + halfUnits
      else certain = certain + halfUnits end
    end
  end
  if spent + least > budget then return {'exceeded', i - 2, spent, reserved} end
  local fits = spent + reserved + most <= budget + overdraft or spent + reserved <= budget
  if not fits or spent + certain + least > budget then busy = busy or {'busy', i - 2, spent, reserved} end
end
if busy then return busy end
for i = 2, #KEYS do
  redis.call('HINCRBY', KEYS[i], 'r:' .. ARGV[1], most)
  redis.call('HINCRBY', KEYS[i], 'l:' .. ARGV[1], least)
end
return answer
`);

/** KEYS: the counter. ARGV: this engine; number, cost; what is released, most and least; what is reserved, most and least, or empty texts. */
const settleScript = redisScript(`
local life = redis.call('HGET', KEYS[1], 'life')
if not life then return false end
local isNew = (tonumber(redis.call('HGET', KEYS[1], 's:' .. ARGV[1])) or 0) < tonumber(ARGV[2])
if isNew then
  redis.call('HINCRBY', KEYS[1], 'spent', ARGV[3])
  redis.call('HSET', KEYS[1], 's:' .. ARGV[1], ARGV[2])
  if ARGV[6] == '' then
    redis.call('HINCRBY', KEYS[1], 'r:' .. ARGV[1], -ARGV[4])
    redis.call('HINCRBY', KEYS[1], 'l:' .. ARGV[1], -ARGV[5])
  end
end
if ARGV[6] ~= '' then redis.call('HSET', KEYS[1], 'r:' .. ARGV[1], ARGV[6], 'l:' .. ARGV[1], ARGV[7]) end
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
    async reserve(limits, { least, most }) {
      const keys = [ENGINES_KEY, ...limits.map(({ key }) => key)];
      const budgets = limits.map(({ halfUnits }) => halfUnits);
      const args = [engine, ...[least, most, PAGE_HALF_UNITS, ...budgets].map(String)];
      const [kind, ...rest] = (await reserveScript.run(redis, keys, args)) as [string, ...unknown[]];
      if (kind === 'reserved') return { kind, lives: rest.map(String) };
      const [limit = 0, spent = 0, reserved = 0] = rest.map(Number);
      return kind === 'exceeded' || kind === 'busy'
        ? { kind, limit, spent, reserved }
        : { kind: 'missing', limit };
    },
    async settle(key, { number, cost, released, reserved }) {
      const args = [
        engine,
        ...[number, cost, released.most, released.least].map(String),
        ...(reserved === null ? ['', ''] : [String(reserved.most), String(reserved.least)]),
      ];
      const life = await settleScript.run(redis, [key], args);
      return typeof life === 'string' ? life : null;
    },
    async seed({ key, keptS }, spent, life) {
      return String(await seedScript.run(redis, [key], [life, String(spent), String(keptS)]));
    },
  } satisfies BudgetCounters);
}
