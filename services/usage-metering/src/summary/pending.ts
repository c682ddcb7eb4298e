import type { Redis } from 'ioredis';
import type { Drainer } from '../aggregation/drain.ts';
import { drainBatchEntries, summaryBacklogEntriesMax, summaryBacklogMsMax } from '../limits.ts';
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
  const deadline = Date.now() + summaryBacklogMsMax;
  if ((await countEntries(redis)) > summaryBacklogEntriesMax) await drainer.drain(summaryBacklogMsMax);
  const entries: StreamEntry[] = [];
  let page: StreamEntry[];
  do {
    page = await readEntries(redis, entries.at(-1)?.id ?? null, drainBatchEntries);
    entries.push(...page);
  } while (page.length === drainBatchEntries && Date.now() < deadline);
  return { entries, isAll: page.length < drainBatchEntries };
}
