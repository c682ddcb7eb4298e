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

type OnLate = (halfUnits: number, entry: JournalEntry) => void;

class CountOfAttempts implements UnitCount {
  halfUnits = 0;
  hasBegun = false;
  private readonly entry: JournalEntry;
  private readonly onLate: OnLate;
  /** What each of them has read so far. */
  private readonly running = new Map<number, () => number>();
  private late: Map<number, JournalEntry> | null = null;

  constructor(entry: JournalEntry, onLate: OnLate) {
    this.entry = entry;
    this.onLate = onLate;
  }

  halfUnitsSoFar(): number {
    let sum = this.halfUnits;
    for (const soFar of this.running.values()) sum += soFar();
    return sum;
  }

  begin(worker: number, query: number, soFar: () => number): (halfUnits: number) => void {
    this.hasBegun = true;
    this.running.set(query, soFar);
    this.entry.begin(worker, query);
    return (read) => this.end(query, read);
  }

  close(): number {
    if (this.running.size > 0) this.late = new Map();
    for (const query of this.running.keys()) this.late?.set(query, this.entry.split(query));
    return this.halfUnits;
  }

  private end(query: number, read: number): void {
    if (!this.running.delete(query)) return;
    this.halfUnits += read;
    const own = this.late?.get(query);
    (own ?? this.entry).end(query, read);
    if (own === undefined) return;
    if (read > 0) this.onLate(read, own);
    else own.close();
  }
}

/**
 * `onLate` is handed what an attempt read that ended after the count was closed, and the entry that it has: it is to be
 * recorded by itself.
 */
export const createUnitCount = (entry: JournalEntry, onLate: OnLate): UnitCount =>
  new CountOfAttempts(entry, onLate);
