/**
 * Moves usage from the stream to the daily counters, each entry exactly once, without transactions.
 *
 * 1. Read a batch from the start of the stream, in order.
 * 2. Add each (tenant, day, epoch) group to its counter, which remembers the last entry it holds of the epoch (`apply.ts`).
 * 3. Remove from the stream what was added to all of its counters.
 *
 * A process that dies between 2 and 3 leaves entries that the next drain finds counted and only removes. Two drainers
 * may run at once. What makes `appliedTo` mean "everything of this group up to here": each drainer meets all entries
 * that are in the stream, in order, and once a group failed, it adds no later entry of that group in the same drain.
 */
import { mapConcurrently } from '@penstock/common/concurrency/limit.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Redis } from 'ioredis';
import { DRAIN_BATCH_ENTRIES, DRAIN_CONCURRENCY } from '../limits.ts';
import type { CounterStore } from '../store/counters.ts';
import { moveToDeadLetters } from '../stream/dead-letters.ts';
import { readEntries, removeEntries } from '../stream/entries.ts';
import type { StreamEntry } from '../stream/entries.ts';
import { applyGroup } from './apply.ts';
import { groupEntries, groupName } from './group.ts';
import type { Group } from './group.ts';

interface DrainResult {
  /** Entries counted and removed. */
  readonly counted: number;
  /** Entries that cannot be counted, moved to the dead letters. */
  readonly deadLetters: number;
  /** Groups that could not be counted; their entries stay in the stream. */
  readonly failedGroups: number;
}

export interface Drainer {
  /** Drains what is in the stream, for at most `msMax`. Rejects where Redis is away. */
  drain(msMax: number): Promise<DrainResult>;
}

export function createDrainer(options: { redis: Redis; counters: CounterStore; logger: Logger }): Drainer {
  const { redis, counters, logger } = options;

  /**
   * Gives the entries that are counted: in all of their groups, since an entry of a client is one of its tenant's, too. A
   * group that fails goes to `failed`.
   */
  async function applyAll(groups: readonly Group[], failed: Set<string>): Promise<StreamEntry[]> {
    const left = new Set<StreamEntry>();
    await mapConcurrently(groups, DRAIN_CONCURRENCY, async (group) => {
      try {
        if (!failed.has(groupName(group))) return await applyGroup(counters, group);
      } catch (error) {
        failed.add(groupName(group));
        const { tenantId, day } = group;
        logger.warn({ err: error, tenantId, day }, 'usage could not be counted; it stays in the stream');
      }
      for (const entry of group.entries) left.add(entry);
    });
    return [...new Set(groups.flatMap(({ entries }) => entries))].filter((entry) => !left.has(entry));
  }

  return {
    async drain(msMax) {
      const deadline = Date.now() + msMax;
      const failed = new Set<string>();
      let [counted, moved] = [0, 0];
      let after: string | null = null;
      do {
        const entries = await readEntries(redis, after, DRAIN_BATCH_ENTRIES);
        const { groups, deadLetters } = groupEntries(entries);
        const done = await applyAll(groups, failed);
        await removeEntries(redis, done);
        for (const entry of deadLetters) await moveToDeadLetters(redis, entry);
        counted += done.length;
        moved += deadLetters.length;
        after = entries.length < DRAIN_BATCH_ENTRIES ? null : (entries.at(-1)?.id ?? null);
      } while (after !== null && Date.now() < deadline);
      if (moved > 0) logger.error({ deadLetters: moved }, 'usage that cannot be counted became dead letters');
      return { counted, deadLetters: moved, failedGroups: failed.size };
    },
  };
}
