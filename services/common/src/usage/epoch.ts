/**
 * The epoch of the usage stream. Counters remember the ID of the last entry that they hold, and IDs have an order
 * only within one life of the stream. A Redis that lost the stream gives IDs by its own clock, which may be behind:
 * it was emptied, replaced or restored, or a replica took over without the last writes. So each entry has the epoch
 * that it was appended in, and IDs are compared within an epoch only.
 *
 * IDs rise within an epoch. A new epoch, a random one, is made by whoever appends first to a stream that does not
 * exist, or first to a Redis process other than the one in which the epoch was made. Within one life of the stream in
 * one process, XADD gives rising IDs, whatever the clock does.
 *
 * Entries from before there were epochs have none. That counts as an epoch: such a stream goes on without one until
 * its Redis is restarted or loses it.
 */
import { randomUUID } from 'node:crypto';

/** A hash: `id`, the epoch of the stream; `run`, the Redis process that it was made in. */
export const usageEpochKey = 'penstock:usage:epoch';

/** Field of an entry: the epoch that it was appended in. */
export const epochField = 'epoch';

/** Of entries from before there were epochs. */
export const noEpoch = '';

/** What becomes the epoch where one is needed. */
export const newEpoch = (): string => randomUUID().replaceAll('-', '').slice(16);

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
