/**
 * The epoch of the usage stream. Counters remember the last entry that they hold by its ID, and an ID says "later" only
 * within one life of the stream: a Redis that lost it (emptied, replaced, restored, a replica that took over without the
 * last writes) gives IDs by its own clock, which may be behind. So each entry bears the epoch that it was appended in, and
 * IDs are compared within an epoch only.
 *
 * Why IDs rise within an epoch: it is made anew, at random, by whoever appends first to a stream that is not there, and
 * by whoever appends first to a Redis process that it was not made in. Within one life of the stream in one process, XADD
 * gives rising IDs, whatever the clock does.
 *
 * Entries from before there were epochs bear none, which is an epoch of its own: a stream of theirs goes on without one
 * until its Redis is restarted or loses it.
 */
import { randomBytes } from 'node:crypto';

/** A hash: `id`, the epoch of the stream; `run`, the Redis process that it was made in. */
export const usageEpochKey = 'penstock:usage:epoch';

/** Field of an entry: the epoch that it was appended in. */
export const epochField = 'epoch';

/** Of entries from before there were epochs. */
export const noEpoch = '';

/** What becomes the epoch where one is needed. */
export const newEpoch = (): string => randomBytes(8).toString('hex');

/** True for what this or a former version wrote. It becomes part of an attribute's name. */
export const isEpoch = (text: string): boolean => /^[0-9a-f]{0,32}$/.test(text);

/**
 * Lua: `epochNow(stream, key, candidate)` gives the epoch for an entry to be appended in the same script. Where a
 * Redis does not let its users ask for INFO, an epoch is that of the stream alone.
 */
export const epochLua = `
local function epochNow(stream, key, candidate)
  local info = redis.pcall('INFO', 'server')
  local run = type(info) == 'string' and string.match(info, 'run_id:(%x+)') or ''
  local known = redis.call('HMGET', key, 'run', 'id')
  if redis.call('EXISTS', stream) == 1 then
    if known[1] == run then return known[2] end
    if known[1] and run == '' then return known[2] end
    if not known[1] then candidate = '${noEpoch}' end
  end
  redis.call('HSET', key, 'run', run, 'id', candidate)
  return candidate
end
`;
