import { mapConcurrently } from '@penstock/common/concurrency/limit.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import { counterNamesOf } from '@penstock/common/usage/event.ts';
import { within } from '@penstock/common/time/within.ts';
import type { Redis } from 'ioredis';
import type { Drainer } from '../aggregation/drain.ts';
import { plus, zeroCounts, dayOf } from '../counts.ts';
import type { Counts } from '../counts.ts';
import { SUMMARY_BACKLOG_MS_MAX, SUMMARY_CONCURRENCY } from '../limits.ts';
import type { CounterStore } from '../store/counters.ts';
import { isLater } from '../stream/entries.ts';
import type { StreamEntry } from '../stream/entries.ts';
import { daysOf } from './dates.ts';

interface Summary {
  readonly totals: Counts;
  /** Every day of the range, in order. */
  readonly days: readonly { readonly day: string; readonly counts: Counts }[];
}

export interface Summarizer {
  /**
   * The usage of a tenant, or of a client by the name of its counters, with all that was recorded before the call; without what is still in the stream where Redis
   * is away. Throws `VALIDATION_ERROR` for dates that make no range.
   */
  summarize(tenantId: string, startDate: string, endDate: string): Promise<Summary>;
  /** The same for each of several names, in their order. */
  summarizeEach(names: readonly string[], startDate: string, endDate: string): Promise<readonly Summary[]>;
}

export function createSummarizer(options: {
  redis: Redis;
  counters: CounterStore;
  drainer: Drainer;
  logger: Logger;
  readPending: (redis: Redis, drainer: Drainer) => Promise<{ entries: StreamEntry[]; isAll: boolean }>;
}): Summarizer {
  const { redis, counters, drainer, logger, readPending } = options;

  async function pending(): Promise<StreamEntry[]> {
    try {
      const { entries, isAll } = await within(2 * SUMMARY_BACKLOG_MS_MAX, readPending(redis, drainer));
      if (!isAll)
        logger.warn({ read: entries.length }, 'the usage stream is too long; a summary lacks its end');
      return entries;
    } catch (error) {
      logger.warn({ err: error }, 'the usage stream cannot be read; a summary is from the counters alone');
      return [];
    }
  }

  async function sumOf(
    name: string,
    days: readonly string[],
    entries: readonly StreamEntry[],
  ): Promise<Summary> {
    const [first = '', last = ''] = [days[0], days.at(-1)];
    const counted = new Map(
      (await counters.range(name, first, last)).map((counter) => [counter.day, counter]),
    );
    const sums = new Map(days.map((day) => [day, counted.get(day)?.counts ?? zeroCounts]));
    for (const { id, epoch, event } of entries) {
      if (event === null || !counterNamesOf(event).includes(name)) continue;
      const day = dayOf(event.at);
      const sum = sums.get(day);
      if (sum !== undefined && isLater(id, counted.get(day)?.appliedTo.get(epoch) ?? null))
        sums.set(day, plus(sum, event));
    }
    return {
      totals: [...sums.values()].reduce(plus, zeroCounts),
      days: days.map((day) => ({ day, counts: sums.get(day) ?? zeroCounts })),
    };
  }

  async function summarizeEach(
    names: readonly string[],
    startDate: string,
    endDate: string,
  ): Promise<readonly Summary[]> {
    const days = daysOf(startDate, endDate);
    // The stream first: an entry that is counted and removed between the two reads is then in both, and told apart
    // by `appliedTo`; the other way round it would be in neither.
    const entries = await pending();
    return mapConcurrently(names, SUMMARY_CONCURRENCY, (name) => sumOf(name, days, entries));
  }

  return {
    summarizeEach,
    async summarize(tenantId, startDate, endDate) {
      const [summary] = await summarizeEach([tenantId], startDate, endDate);
      if (summary === undefined) throw new Error('a name has no summary');
      return summary;
    },
  };
}
