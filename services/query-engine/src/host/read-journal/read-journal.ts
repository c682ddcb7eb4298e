/**
 * What running executions have read, so that it is counted even where this engine is killed before it records it.
 *
 * Each worker writes down what every page cost as soon as it has come. Here it is written down whose query that is and
 * under which ID it will be recorded. Whoever finds the files of a dead engine adds up both (`recover-reads.ts`). Usage
 * that is recorded with the same ID twice counts once, so it does not matter whether the dead engine had come to it.
 */
import { usageEventIds, type UsageEvent } from '@penstock/common/usage/event.ts';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import type { JournalFile, UnrecordedReads } from './journal-file.ts';

/** What an event has that says whose and when, and nothing of what is counted. */
export type ReadsEvent = Pick<UsageEvent, 'id' | 'tenantId' | 'clientId' | 'at'>;

export interface JournalEntry {
  /** Of the event that records it. */
  readonly id: string;
  /** The query reads in that worker from now on. */
  begin(worker: number, query: number): void;
  /** It reads no more; what it read is known. */
  end(query: number, halfUnits: number): void;
  /** Takes a query out that has not ended: it is recorded by itself, with another ID. */
  split(query: number): JournalEntry;
  /** It is recorded. */
  close(): void;
}

export interface ReadJournal {
  open(event: ReadsEvent): JournalEntry;
}

export function createReadJournal(file: Pick<JournalFile, 'add' | 'set' | 'remove'>): ReadJournal {
  const open = (
    event: ReadsEvent,
    attempts: ReadonlyMap<number, number> = new Map<number, number>(),
  ): JournalEntry => {
    const running = new Map(attempts);
    let halfUnits = 0;
    let place: number | null = null;
    const reads = (): UnrecordedReads => ({
      ...event,
      halfUnits,
      attempts: [...running].map(([query, worker]) => [worker, query]),
    });
    const write = (): void => {
      if (place === null) place = file.add(reads());
      else file.set(place, reads());
    };
    if (running.size > 0) write();
    return {
      id: event.id,
      begin(worker, query) {
        running.set(query, worker);
        write();
      },
      end(query, read) {
        if (!running.delete(query)) return;
        halfUnits += read;
        write();
      },
      split(query) {
        // For a moment both have the query; whoever adds up counts it once.
        const { reads: id } = usageEventIds(uuidV7());
        const other = open({ ...event, id }, new Map([[query, running.get(query) ?? 0]]));
        running.delete(query);
        write();
        return other;
      },
      close() {
        if (place !== null) file.remove(place);
        place = null;
      },
    };
  };
  return { open: (event) => open(event) };
}

/** Nothing is written down. */
export const NOTHING_JOURNALED: JournalEntry = Object.freeze({
  id: 'none',
  begin: () => undefined,
  end: () => undefined,
  split: () => NOTHING_JOURNALED,
  close: () => undefined,
});
