import { fromStreamFields } from '@penstock/common/usage/event.ts';
import type { UsageEvent } from '@penstock/common/usage/event.ts';
import { redisScript } from '@penstock/common/redis/script.ts';
import { epochField, isEpoch, noEpoch } from '@penstock/common/usage/epoch.ts';
import { usageStreamKey } from '@penstock/common/usage/stream.ts';
import type { Redis } from 'ioredis';

/** An entry of the usage stream. `event` is null where it cannot be counted: it becomes a dead letter. */
export interface StreamEntry {
  /** `<ms>-<sequence>`, rising within an epoch; also the place in the stream. */
  readonly id: string;
  /** What the entry says of it, see `epoch.ts` of common. */
  readonly epoch: string;
  readonly fields: readonly string[];
  readonly event: UsageEvent | null;
}

/** Compares stream IDs by number, as Redis does: their text does not sort. */
export function isLater(id: string, than: string | null): boolean {
  if (than === null) return true;
  const [ms = '0', sequence = '0'] = id.split('-');
  const [thanMs = '0', thanSequence = '0'] = than.split('-');
  if (ms !== thanMs) return BigInt(ms) > BigInt(thanMs);
  return BigInt(sequence) > BigInt(thanSequence);
}

function epochOf(fields: readonly string[]): string {
  let epoch = noEpoch;
  // As with every field of an entry, the last one counts.
  for (let i = 0; i + 1 < fields.length; i += 2)
    if (fields[i] === epochField) epoch = fields[i + 1] ?? noEpoch;
  return epoch;
}

function toEntry([id, fields]: [string, string[]]): StreamEntry {
  const epoch = epochOf(fields);
  return { id, epoch, fields, event: isEpoch(epoch) ? fromStreamFields(fields) : null };
}

/** The entries after an ID (null: from the start), oldest first, at most `count`. */
export async function readEntries(redis: Redis, after: string | null, count: number): Promise<StreamEntry[]> {
  const rows = await redis.xrange(usageStreamKey, after === null ? '-' : `(${after}`, '+', 'COUNT', count);
  return rows.map(toEntry);
}

/** How many entries wait to be drained. */
export function countEntries(redis: Redis): Promise<number> {
  return redis.xlen(usageStreamKey);
}

/**
 * Removes entries, but not others that have come under the same IDs since, in another epoch.
 * KEYS: the stream. ARGV: ID and epoch of each.
 */
const removeScript = redisScript(`
local ids = {}
for i = 1, #ARGV, 2 do
  local found = redis.call('XRANGE', KEYS[1], ARGV[i], ARGV[i])
  if #found == 1 then
    local epoch, fields = '${noEpoch}', found[1][2]
    for f = 1, #fields, 2 do
      if fields[f] == '${epochField}' then epoch = fields[f + 1] end
    end
    if epoch == ARGV[i + 1] then ids[#ids + 1] = ARGV[i] end
  end
end
if #ids > 0 then redis.call('XDEL', KEYS[1], unpack(ids)) end
`);

export async function removeEntries(
  redis: Redis,
  entries: readonly Pick<StreamEntry, 'id' | 'epoch'>[],
): Promise<void> {
  if (entries.length === 0) return;
  await removeScript.run(
    redis,
    [usageStreamKey],
    entries.flatMap(({ id, epoch }) => [id, epoch]),
  );
}
