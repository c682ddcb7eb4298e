import type { Redis } from 'ioredis';
import { deadLetterKey } from './entries.ts';
import type { StreamEntry } from './entries.ts';

/**
 * Sets poison aside under its own stream ID, for the admin CLI's `dead-letter` to show; none is ever dropped, since each
 * was something to be paid for. Every drainer meets entries in order, so an ID that is no longer higher
 * than the last one set aside was set aside before, by a drainer that died or runs beside this one.
 */
export async function setAside(redis: Redis, entry: StreamEntry): Promise<void> {
  const fields = entry.fields.length === 0 ? ['empty', ''] : entry.fields;
  try {
    await redis.xadd(deadLetterKey, entry.id, ...fields);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('equal or smaller')) throw error;
  }
}
