import { redisScript } from '@penstock/common/redis/script.ts';
import { usageStreamKey } from '@penstock/common/usage/stream.ts';
import type { Redis } from 'ioredis';
import { deadLetterKey } from './entries.ts';
import type { StreamEntry } from './entries.ts';

/**
 * KEYS: the stream, where to set aside. ARGV: the entry's ID, then its fields: what is at that place by now is moved only
 * where it is the same.
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
 * Moves poison out of the stream in one step, for the admin CLI's `dead-letter` to show; none is ever dropped, since each
 * was something to be paid for, nor set aside twice by two drainers that met it.
 */
export async function setAside(redis: Redis, { id, fields }: StreamEntry): Promise<void> {
  await moveScript.run(redis, [usageStreamKey, deadLetterKey], [id, ...fields]);
}
