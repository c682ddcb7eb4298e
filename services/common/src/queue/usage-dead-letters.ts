import type { Redis } from 'ioredis';
import { isEntryId, returnToStream, usageDeadLettersKey } from '../usage/stream.ts';
import type { DeadLetterSource } from './dead-letters.ts';
import { DEAD_LETTERS_LISTED_MAX } from './limits.ts';

/** As the admin CLI calls it, beside the queues. */
export const USAGE_DEAD_LETTERS = 'usage-entries';

function pairs(fields: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {};
  for (let i = 0; i + 1 < fields.length; i += 2) named[fields[i] ?? ''] = fields[i + 1] ?? '';
  return named;
}

/** The dead letters of the usage stream: entries that cannot be counted as they are. */
export function usageDeadLetters(redis: Redis): DeadLetterSource {
  return Object.freeze({
    queue: USAGE_DEAD_LETTERS,
    async list() {
      const entries = await redis.xrange(usageDeadLettersKey, '-', '+', 'COUNT', DEAD_LETTERS_LISTED_MAX);
      return entries.map(([id, fields]) => ({
        queue: USAGE_DEAD_LETTERS,
        id,
        name: 'count',
        data: pairs(fields),
        attempts: 1,
        failedAt: new Date(Number(id.split('-')[0])).toISOString(),
        reason: 'The entry lacks fields that usage has, or they hold no counts',
      }));
    },
    retry: (id: string) => returnToStream(redis, id),
    remove: async (id: string) => isEntryId(id) && (await redis.xdel(usageDeadLettersKey, id)) > 0,
    close: () => Promise.resolve(),
  });
}
