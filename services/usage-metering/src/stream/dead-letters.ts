import { redisScript } from '@penstock/common/redis/script.ts';
import { usageDeadLettersKey, usageStreamKey } from '@penstock/common/usage/stream.ts';
import type { Redis } from 'ioredis';
import type { StreamEntry } from './entries.ts';

/**
 * KEYS: the stream, the dead letters. ARGV: the entry's ID, then its fields. Another entry may have the ID by now, so the
 * entry is moved only while its fields are the same.
 */
const moveScript = redisScript(`
local found = redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1])
if #found == 0 then return end
local fields = found[1][2]
if #fields ~= #ARGV - 1 then return end
for i = 1, #fields do
  if fields[i] ~= ARGV[i + 1] then return end
end
redis.call('XADD', KEYS[2], '*', unpack(fields))
redis.call('XDEL', KEYS[1], ARGV[1])
`);

/**
 * Moves an entry that cannot be counted from the stream to the dead letters, which the admin CLI's `dead-letter` shows.
 * It is one step, so two drainers that met the entry move it once. No entry is ever dropped: each was something to be
 * paid for.
 */
export async function moveToDeadLetters(redis: Redis, { id, fields }: StreamEntry): Promise<void> {
  await moveScript.run(redis, [usageStreamKey, usageDeadLettersKey], [id, ...fields]);
}
