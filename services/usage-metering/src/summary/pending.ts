import type { Redis } from 'ioredis';
import type { Drainer } from '../aggregation/drain.ts';
import { DRAIN_BATCH_ENTRIES, SUMMARY_BACKLOG_ENTRIES_MAX, SUMMARY_BACKLOG_MS_MAX } from '../limits.ts';
import { countEntries, readEntries } from '../stream/entries.ts';
import type { StreamEntry } from '../stream/entries.ts';

/**
 * What is in the stream and may not be counted yet. A large backlog is drained first rather than carried through each
 * answer; when that takes too long, the answer does without what is left.
 */
export async function readPending(
  redis: Redis,
  drainer: Drainer,
): Promise<{ entries: StreamEntry[]; isAll: boolean }> {
  const deadline = Date.now() + SUMMARY_BACKLOG_MS_MAX;
  if ((await countEntries(redis)) > SUMMARY_BACKLOG_ENTRIES_MAX) await drainer.drain(SUMMARY_BACKLOG_MS_MAX);
  const entries: StreamEntry[] = [];
  let page: StreamEntry[];
  do {
    page = await readEntries(redis, entries.at(-1)?.id ?? null, DRAIN_BATCH_ENTRIES);
    entries.push(...page);
  } while (page.length === DRAIN_BATCH_ENTRIES && Date.now() < deadline);
  return { entries, isAll: page.length < DRAIN_BATCH_ENTRIES };
}
