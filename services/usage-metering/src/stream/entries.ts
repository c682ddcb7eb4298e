import { fromStreamFields } from '@penstock/common/usage/event.ts';
import type { UsageEvent } from '@penstock/common/usage/event.ts';
import { uncountableUsageKey, usageStreamKey } from '@penstock/common/usage/stream.ts';
import type { Redis } from 'ioredis';

/** An entry of the usage stream; `event` is null for one that cannot be counted. */
export interface StreamEntry {
  /** `<ms>-<sequence>`, rising. */
  readonly id: string;
  readonly fields: readonly string[];
  readonly event: UsageEvent | null;
}

/** Where entries that cannot be counted are kept for people to look at. */
export const deadLetterKey = uncountableUsageKey;

/** Compares stream IDs by number, as Redis does: their text does not sort. */
export function isLater(id: string, than: string | null): boolean {
  if (than === null) return true;
  const [ms = '0', sequence = '0'] = id.split('-');
  const [thanMs = '0', thanSequence = '0'] = than.split('-');
  if (ms !== thanMs) return BigInt(ms) > BigInt(thanMs);
  return BigInt(sequence) > BigInt(thanSequence);
}

/** The entries after an ID (null: from the start), oldest first, at most `count`. */
export async function readEntries(redis: Redis, after: string | null, count: number): Promise<StreamEntry[]> {
  const rows = await redis.xrange(usageStreamKey, after === null ? '-' : `(${after}`, '+', 'COUNT', count);
  return rows.map(([id, fields]) => ({ id, fields, event: fromStreamFields(fields) }));
}

/** How many entries wait to be drained. */
export function countEntries(redis: Redis): Promise<number> {
  return redis.xlen(usageStreamKey);
}

export async function removeEntries(redis: Redis, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await redis.xdel(usageStreamKey, ...ids);
}
