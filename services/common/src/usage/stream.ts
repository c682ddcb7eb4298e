import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { UsageEvent } from './event.ts';
import { toStreamFields } from './event.ts';
import { seenAfterAckS, seenLifetimeS } from './limits.ts';

/** The stream that holds what was recorded and is not yet in the daily counters. */
export const usageStreamKey = 'penstock:usage';

/** Entries that cannot be counted, set aside by those who drain the stream, for people to look at. */
export const uncountableUsageKey = `${usageStreamKey}:dead`;

/** Marks an event as written to the stream. */
export const seenKey = (eventId: string): string => `penstock:usage:seen:${eventId}`;

/**
 * Appends an event unless it was appended before, in one step.
 *
 * KEYS: the stream, the event's mark, marks of events whose producer has had its answer. ARGV: the mark's lifetime in
 * seconds, the shorter lifetime of answered marks, then the entry's fields. The entry goes in before its mark: were
 * the script to break off between the two, the producer would hear of an error and send the event again.
 */
const script = `
for i = 3, #KEYS do redis.call('EXPIRE', KEYS[i], ARGV[2]) end
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('XADD', KEYS[1], '*', unpack(ARGV, 3))
redis.call('SET', KEYS[2], '1', 'EX', ARGV[1])
return 1
`;
const scriptSha = createHash('sha1').update(script).digest('hex');

/**
 * Writes the event to the stream once, whatever number of calls. Resolves when Redis has it (on disk, where Redis
 * runs with `appendfsync always`). Rejects with the client's error; the event may have been written all the same.
 */
export async function appendOnce(
  redis: Redis,
  event: UsageEvent,
  answeredIds: readonly string[] = [],
): Promise<void> {
  const keys = [usageStreamKey, seenKey(event.id), ...answeredIds.map(seenKey)];
  const args = [...keys, String(seenLifetimeS), String(seenAfterAckS), ...toStreamFields(event)];
  try {
    await redis.evalsha(scriptSha, keys.length, ...args);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    await redis.eval(script, keys.length, ...args);
  }
}
