import { counterNamesOf, type UsageEvent } from '@penstock/common/usage/event.ts';
import { dayOf } from '../counts.ts';
import type { StreamEntry } from '../stream/entries.ts';

/** An entry that can be counted. */
type CountableEntry = StreamEntry & { readonly event: UsageEvent };

/** The entries of one tenant (or client: see `counterNamesOf`), day and epoch, oldest first: what one counter gets from one life of the stream. */
export interface Group {
  readonly tenantId: string;
  readonly day: string;
  readonly epoch: string;
  readonly entries: readonly CountableEntry[];
}

/** Names a group; no part can hold a space. */
export const groupName = ({ tenantId, day, epoch }: Omit<Group, 'entries'>): string =>
  `${tenantId} ${day} ${epoch}`;

function isCountable(entry: StreamEntry): entry is CountableEntry {
  return entry.event !== null;
}

/** Sorts entries into the counters that they belong to. What cannot be counted is a dead letter. */
export function groupEntries(entries: readonly StreamEntry[]): {
  groups: Group[];
  deadLetters: StreamEntry[];
} {
  const groups = new Map<string, Omit<Group, 'entries'> & { entries: CountableEntry[] }>();
  const deadLetters: StreamEntry[] = [];
  for (const entry of entries) {
    if (!isCountable(entry)) {
      deadLetters.push(entry);
      continue;
    }
    const { event, epoch } = entry;
    for (const tenantId of counterNamesOf(event)) {
      const place = { tenantId, day: dayOf(event.at), epoch };
      const group = groups.get(groupName(place)) ?? { ...place, entries: [] };
      group.entries.push(entry);
      groups.set(groupName(place), group);
    }
  }
  return { groups: [...groups.values()], deadLetters };
}
