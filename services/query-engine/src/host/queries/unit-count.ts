/** What a query read, as its host counts it: exact also where a worker is lost, or says so late. */
import type { JournalEntry } from '../read-journal/read-journal.ts';

export interface UnitCount {
  /** Of attempts that have ended. */
  readonly halfUnits: number;
  /** Of those that go on, too: what their workers have read by now. */
  halfUnitsSoFar(): number;
  /** An attempt has begun. */
  readonly hasBegun: boolean;
  /**
   * An attempt begins in that worker, under that number; `soFar` says what it has read while it goes on. The function is to
   * be called when it has ended, with what it read.
   */
  begin(worker: number, query: number, soFar: () => number): (halfUnits: number) => void;
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
  /** What each of them has read so far. */
  const running = new Map<number, () => number>();
  const late = new Map<number, JournalEntry>();
  let halfUnits = 0;
  let hasBegun = false;
  return {
    get halfUnits() {
      return halfUnits;
    },
    halfUnitsSoFar() {
      let sum = halfUnits;
      for (const soFar of running.values()) sum += soFar();
      return sum;
    },
    get hasBegun() {
      return hasBegun;
    },
    begin(worker, query, soFar) {
      hasBegun = true;
      running.set(query, soFar);
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
      for (const query of running.keys()) late.set(query, entry.split(query));
      return halfUnits;
    },
  };
}
