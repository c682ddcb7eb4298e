/** What a query read, as its host counts it: exact also where a worker is lost, or says so late. */
import type { JournalEntry } from '../read-journal/read-journal.ts';

export interface UnitCount {
  readonly halfUnits: number;
  /** An attempt begins in that worker, under that number. The function is to be called when it has ended, with what it read. */
  begin(worker: number, query: number): (halfUnits: number) => void;
  /** What is to be recorded. Whatever attempts read that have not ended is late. */
  close(): number;
}

/**
 * `onLate` is handed what an attempt read that ended after the count was closed, and the entry that it has: it is to be
 * recorded by itself.
 */
export function createUnitCount(
  entry: JournalEntry,
  onLate: (halfUnits: number, entry: JournalEntry) => void,
): UnitCount {
  const running = new Set<number>();
  const late = new Map<number, JournalEntry>();
  let halfUnits = 0;
  return {
    get halfUnits() {
      return halfUnits;
    },
    begin(worker, query) {
      running.add(query);
      entry.begin(worker, query);
      return (read) => {
        if (!running.delete(query)) return;
        halfUnits += read;
        const own = late.get(query);
        (own ?? entry).end(query, read);
        if (own === undefined) return;
        if (read > 0) onLate(read, own);
        else own.close();
      };
    },
    close() {
      for (const query of running) late.set(query, entry.split(query));
      return halfUnits;
    },
  };
}
