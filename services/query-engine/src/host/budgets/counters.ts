/**
 * Counters of budgets in Redis, one for each budget and period: a hash of `spent` and, for each engine, `r:<engine>`, what its
 * pages under way cost at most, `o:<engine>`, what of it is reserved for a page that may overdraw the budget, and
 * `s:<engine>`, the number of the last settlement that is in `spent`. `life` names the counter: one that was lost and made
 * again has another. All in half units.
 *
 * A page that is covered whatever it costs begins at once. Of others one is under way at a time, over all engines, and
 * beside pages that are covered only: so a budget is overdrawn by one page at most.
 */
import type { Redis } from 'ioredis';
import { redisScript } from '@penstock/common/redis/script.ts';
import { ENGINES_KEY } from '../read-limits/engines.ts';
import type { PageQuestion } from '../../pipe/messages.ts';
import type { BudgetLimit } from './limits-of.ts';

/** What a page costs whatever it finds, and what it may cost at most: half units. */
export type PageCost = Pick<PageQuestion, 'least' | 'most'>;

export type Reservation =
  /** `mayOverdraw`: for each of the limits whether it does not cover all that the page may cost. */
  | { readonly kind: 'reserved'; readonly lives: readonly string[]; readonly mayOverdraw: readonly boolean[] }
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
  readonly released: number;
  /** What of `released` was for a page that might have overdrawn. */
  readonly overdraftReleased: number;
  /** All that is still reserved, where it is not certain what Redis has; then it counts, and `released` does not. */
  readonly reserved: { readonly all: number; readonly overdraft: number } | null;
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
 * KEYS: the engines, then the counters. ARGV: this engine, what the page costs at least and at most, the budgets.
 */
const reserveScript = redisScript(`
local answer, over, busy, least, most = {'reserved'}, {}, nil, tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], 'NX', time[1] * 1000, ARGV[1])
for i = 2, #KEYS do
  local life = redis.call('HGET', KEYS[i], 'life')
  if not life then return {'missing', i - 2} end
  answer[i] = life
end
for i = 2, #KEYS do
  local spent, reserved, overdraft, budget = 0, 0, 0, tonumber(ARGV[i + 2])
  local all = redis.call('HGETALL', KEYS[i])
  for f = 1, #all, 2 do
    local name, kind = all[f], string.sub(all[f], 1, 2)
    if name == 'spent' then spent = tonumber(all[f + 1])
    elseif kind == 'r:' or kind == 'o:' then
      local engine, halfUnits = string.sub(name, 3), math.max(0, tonumber(all[f + 1]))
      if engine ~= ARGV[1] and not redis.call('ZSCORE', KEYS[1], engine) then redis.call('HDEL', KEYS[i], name)
      elseif kind == 'r:' then reserved = reserved + halfUnits
      else overdraft = overdraft + halfUnits end
    end
  end
  if spent + least > budget then return {'exceeded', i - 2, spent, reserved} end
  over[i] = spent + reserved + most > budget
  if over[i] and (overdraft > 0 or spent + reserved + least > budget) then busy = busy or {'busy', i - 2, spent, reserved} end
end
if busy then return busy end
for i = 2, #KEYS do
  redis.call('HINCRBY', KEYS[i], 'r:' .. ARGV[1], most)
  if over[i] then redis.call('HINCRBY', KEYS[i], 'o:' .. ARGV[1], most) end
  answer[#answer + 1] = over[i] and 1 or 0
end
return answer
`);

/** KEYS: the counter. ARGV: this engine; number, cost, released, of that the overdraft; what is reserved and the overdraft, or an empty text. */
const settleScript = redisScript(`
local life = redis.call('HGET', KEYS[1], 'life')
if not life then return false end
local isNew = (tonumber(redis.call('HGET', KEYS[1], 's:' .. ARGV[1])) or 0) < tonumber(ARGV[2])
if isNew then
  redis.call('HINCRBY', KEYS[1], 'spent', ARGV[3])
  redis.call('HSET', KEYS[1], 's:' .. ARGV[1], ARGV[2])
  if ARGV[6] == '' then
    redis.call('HINCRBY', KEYS[1], 'r:' .. ARGV[1], -ARGV[4])
    if ARGV[5] ~= '0' then redis.call('HINCRBY', KEYS[1], 'o:' .. ARGV[1], -ARGV[5]) end
  end
end
if ARGV[6] ~= '' then redis.call('HSET', KEYS[1], 'r:' .. ARGV[1], ARGV[6], 'o:' .. ARGV[1], ARGV[7]) end
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
      const args = [engine, String(least), String(most), ...limits.map(({ halfUnits }) => String(halfUnits))];
      const [kind, ...rest] = (await reserveScript.run(redis, keys, args)) as [string, ...unknown[]];
      if (kind === 'reserved') {
        const mayOverdraw = rest.slice(limits.length).map((one) => Number(one) === 1);
        return { kind, lives: rest.slice(0, limits.length).map(String), mayOverdraw };
      }
      const [limit = 0, spent = 0, reserved = 0] = rest.map(Number);
      return kind === 'exceeded' || kind === 'busy'
        ? { kind, limit, spent, reserved }
        : { kind: 'missing', limit };
    },
    async settle(key, { number, cost, released, overdraftReleased, reserved }) {
      const args = [
        engine,
        ...[number, cost, released, overdraftReleased].map(String),
        ...(reserved === null ? ['', ''] : [String(reserved.all), String(reserved.overdraft)]),
      ];
      const life = await settleScript.run(redis, [key], args);
      return typeof life === 'string' ? life : null;
    },
    async seed({ key, keptS }, spent, life) {
      return String(await seedScript.run(redis, [key], [life, String(spent), String(keptS)]));
    },
  } satisfies BudgetCounters);
}
