import type { Redis } from 'ioredis';
import { isEntryId, returnToStream, uncountableUsageKey } from '../usage/stream.ts';
import type { DeadLetterSource } from './dead-letters.ts';
import { DEAD_LETTERS_LISTED_MAX } from './limits.ts';

/** As the admin CLI calls it, beside the queues. */
export const UNCOUNTABLE_USAGE = 'usage-entries';

function pairs(fields: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {};
  for (let i = 0; i + 1 < fields.length; i += 2) named[fields[i] ?? ''] = fields[i + 1] ?? '';
  return named;
}

/** Entries of the usage stream that were set aside because they cannot be counted as they are. */
export function uncountableUsage(redis: Redis): DeadLetterSource {
  return Object.freeze({
    queue: UNCOUNTABLE_USAGE,
    async list() {
      const entries = await redis.xrange(uncountableUsageKey, '-', '+', 'COUNT', DEAD_LETTERS_LISTED_MAX);
      return entries.map(([id, fields]) => ({
        queue: UNCOUNTABLE_USAGE,
        id,
        name: 'count',
        data: pairs(fields),
        attempts: 1,
        failedAt: new Date(Number(id.split('-')[0])).toISOString(),
        reason: 'The entry lacks fields that usage has, or they hold no counts',
      }));
    },
    retry: (id: string) => returnToStream(redis, id),
    remove: async (id: string) => isEntryId(id) && (await redis.xdel(uncountableUsageKey, id)) > 0,
    close: () => Promise.resolve(),
  });
}
