import type { Redis } from 'ioredis';
import { redisScript } from '../redis/script.ts';
import { epochField, epochLua, newEpoch, usageEpochKey } from './epoch.ts';
import type { UsageEvent } from './event.ts';
import { takenBackField, toStreamFields } from './event.ts';
import { SEEN_AFTER_ACK_S, SEEN_LIFETIME_S } from './limits.ts';

/** The stream that holds what was recorded and is not yet in the daily counters. */
export const usageStreamKey = 'penstock:usage';

/** The dead letters: entries that cannot be counted. Whoever drains the stream moves them here, for people to look at. */
export const usageDeadLettersKey = `${usageStreamKey}:dead`;

/** True for what an ID of an entry looks like; Redis refuses all else as a mistake of the caller's. */
export const isEntryId = (text: string): boolean => /^\d{1,20}-\d{1,20}$/.test(text);

/** Marks an event as written to the stream. */
export const seenKey = (eventId: string): string => `penstock:usage:seen:${eventId}`;

/** Marks an event whose rows do not count: they reached nobody. */
const voidKey = (eventId: string): string => `penstock:usage:void:${eventId}`;

/**
 * Appends each event unless it was appended before. An event's mark holds the rows that it counted, so that they can be
 * taken back.
 *
 * KEYS: the stream, its epoch; for each event its mark, and of the event that it voids (else its own) the mark, and the mark
 * that it is void; then marks of events whose producer has had its answer. ARGV: the lifetime of marks in seconds, the
 * shorter lifetime of answered ones, what becomes the epoch where there is none, how many events there are; for each event
 * `1` where it voids another, its rows, how many arguments its entry has, and these. An entry goes in before its mark: were
 * the script to break off between the two, the producer would hear of an error and send the events again.
 */
const appendScript = redisScript(`${epochLua}
local events = tonumber(ARGV[4])
for i = 3 + 3 * events, #KEYS do redis.call('EXPIRE', KEYS[i], ARGV[2]) end
local at = 5
local epoch
for event = 0, events - 1 do
  local mark, counts, void = KEYS[3 + 3 * event], KEYS[4 + 3 * event], KEYS[5 + 3 * event]
  local voids, rows, size = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
  if redis.call('EXISTS', mark) == 0 then
    local entry = { unpack(ARGV, at + 3, at + 2 + size) }
    if voids == '1' then
      redis.call('SET', void, '1', 'EX', ARGV[1])
      local counted = redis.call('GET', counts)
      if counted and counted ~= '0' then
        entry[#entry + 1] = '${takenBackField}'
        entry[#entry + 1] = counted
      else
        entry = nil
      end
    elseif rows ~= '0' and redis.call('EXISTS', void) == 1 then
      rows = '0'
      entry[#entry + 1] = 'rows'
      entry[#entry + 1] = '0'
    end
    if entry then
      entry[#entry + 1] = '${epochField}'
      epoch = epoch or epochNow(KEYS[1], KEYS[2], ARGV[3])
      entry[#entry + 1] = epoch
      redis.call('XADD', KEYS[1], '*', unpack(entry))
    end
    redis.call('SET', mark, rows, 'EX', ARGV[1])
  end
  at = at + 3 + size
end
return 1
`);

/**
 * Puts a dead letter back into the stream, in the epoch of now: both or neither, since an entry must not be counted
 * twice. KEYS: the stream, its epoch, the dead letters. ARGV: the dead letter's ID, what becomes the epoch.
 */
const returnScript = redisScript(`${epochLua}
local found = redis.call('XRANGE', KEYS[3], ARGV[1], ARGV[1])
if #found == 0 then return 0 end
local entry = found[1][2]
entry[#entry + 1] = '${epochField}'
entry[#entry + 1] = epochNow(KEYS[1], KEYS[2], ARGV[2])
redis.call('XADD', KEYS[1], '*', unpack(entry))
redis.call('XDEL', KEYS[3], ARGV[1])
return 1
`);

function keysOf(event: UsageEvent): readonly string[] {
  const about = event.voids ?? event.id;
  return [seenKey(event.id), seenKey(about), voidKey(about)];
}

function argumentsOf(event: UsageEvent): readonly string[] {
  const fields = toStreamFields(event);
  const isVoid = event.voids === undefined ? '0' : '1';
  return [isVoid, String(event.rowsReturned), String(fields.length), ...fields];
}

/**
 * Writes the events to the stream, each once, whatever number of calls. Resolves when Redis has them (on disk, where Redis
 * runs with `appendfsync always`). Rejects with the client's error; they may have been written all the same.
 */
export async function appendOnce(
  redis: Redis,
  events: readonly UsageEvent[],
  answeredIds: readonly string[] = [],
): Promise<void> {
  const keys = [usageStreamKey, usageEpochKey, ...events.flatMap(keysOf), ...answeredIds.map(seenKey)];
  const lifetimes = [String(SEEN_LIFETIME_S), String(SEEN_AFTER_ACK_S)];
  const args = [...lifetimes, newEpoch(), String(events.length), ...events.flatMap(argumentsOf)];
  await appendScript.run(redis, keys, args);
}

/** Puts a dead letter back into the stream; false where there is none of that ID. */
export async function returnToStream(redis: Redis, deadLetterId: string): Promise<boolean> {
  if (!isEntryId(deadLetterId)) return false;
  const keys = [usageStreamKey, usageEpochKey, usageDeadLettersKey];
  return (await returnScript.run(redis, keys, [deadLetterId, newEpoch()])) === 1;
}
