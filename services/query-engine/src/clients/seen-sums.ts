/** What reads of a table saw, several reads added up. */
import type { LearnedFilter, LearnedKeys, LearnedStatistics } from '../catalog/table.ts';
import { REPORTED_READS_MAX } from '../limits.ts';

export interface SeenSums {
  /** Of more paths, or filters, than are reported at once, those that come later are left out. */
  add(seen: LearnedStatistics): void;
  sums(): LearnedStatistics;
}

export function createSeenSums(): SeenSums {
  const keys = new Map<string, LearnedKeys>();
  const filters = new Map<string, LearnedFilter>();
  const hasRoom = (sums: ReadonlyMap<string, unknown>, place: string): boolean =>
    sums.has(place) || sums.size < REPORTED_READS_MAX;
  return {
    add(seen) {
      for (const entry of seen.keys) {
        const place = JSON.stringify([entry.index, ...entry.keyColumns]);
        if (!hasRoom(keys, place)) continue;
        const sum = keys.get(place);
        keys.set(place, {
          ...entry,
          keys: entry.keys + (sum?.keys ?? 0),
          missing: entry.missing + (sum?.missing ?? 0),
          items: entry.items + (sum?.items ?? 0),
          units: entry.units + (sum?.units ?? 0),
        });
      }
      for (const entry of seen.filters) {
        const place = JSON.stringify([entry.index, entry.form]);
        if (!hasRoom(filters, place)) continue;
        const sum = filters.get(place);
        filters.set(place, {
          ...entry,
          read: entry.read + (sum?.read ?? 0),
          passed: entry.passed + (sum?.passed ?? 0),
        });
      }
    },
    sums: () => ({ keys: [...keys.values()], filters: [...filters.values()] }),
  };
}
