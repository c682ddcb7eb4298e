/** What reads of a table saw, several reads added up. */
import type { LearnedFilter, LearnedKeys, LearnedStatistics } from './table.ts';

export interface SeenSums {
  add(seen: LearnedStatistics): void;
  sums(): LearnedStatistics;
}

/** Of more paths, or filters, than `entriesMax`, those that come later are left out. */
export function createSeenSums(entriesMax: number): SeenSums {
  const keys = new Map<string, LearnedKeys>();
  const filters = new Map<string, LearnedFilter>();
  const addTo = <T>(sums: Map<string, T>, place: string, entry: T, plus: (sum: T) => T): void => {
    const sum = sums.get(place);
    if (sum !== undefined) sums.set(place, plus(sum));
    else if (sums.size < entriesMax) sums.set(place, entry);
  };
  return {
    add(seen) {
      for (const entry of seen.keys)
        addTo(keys, JSON.stringify([entry.index, ...entry.keyColumns]), entry, (sum) => ({
          ...sum,
          keys: sum.keys + entry.keys,
          missing: sum.missing + entry.missing,
          items: sum.items + entry.items,
          units: sum.units + entry.units,
        }));
      for (const entry of seen.filters)
        addTo(filters, JSON.stringify([entry.index, entry.form]), entry, (sum) => ({
          ...sum,
          read: sum.read + entry.read,
          passed: sum.passed + entry.passed,
        }));
    },
    sums: () => ({ keys: [...keys.values()], filters: [...filters.values()] }),
  };
}
