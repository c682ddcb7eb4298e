/**
 * The file of a read journal. It has places of a fixed size, and each holds one line of JSON or nothing. A place never
 * crosses a page of memory: the system writes it whole or not at all, whenever the process is killed.
 */
import { openSync, writeSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { JOURNAL_PLACE_BYTES } from '../limits.ts';

/** What is not recorded yet of one execution of a statement. */
export interface UnrecordedReads {
  /** Of the event that will record it. */
  readonly id: string;
  readonly tenantId: string;
  readonly clientId?: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** What attempts had read that have ended. */
  readonly halfUnits: number;
  /** Attempts under way, as worker and query: what they have read is in the worker's record of its work. */
  readonly attempts: readonly (readonly [number, number])[];
}

const FILE_NAME = 'reads';
const END = '\n';

export interface JournalFile {
  /** A place of its own; null where there is none left, or it has to be longer than a place. */
  add(reads: UnrecordedReads): number | null;
  set(place: number, reads: UnrecordedReads): void;
  remove(place: number): void;
}

/** Makes the file, open for as long as the process lives, with room for all that it will ever hold: a full disk takes it, too. */
export function createJournalFile(folder: string, places: number): JournalFile {
  const file = openSync(join(folder, FILE_NAME), 'wx', 0o600);
  writeSync(file, Buffer.alloc(places * JOURNAL_PLACE_BYTES));
  const free = Array.from({ length: places }, (_, i) => places - 1 - i);
  const write = (place: number, text: string): boolean => {
    const bytes = Buffer.from(text);
    if (bytes.length > JOURNAL_PLACE_BYTES) return false;
    try {
      writeSync(file, bytes, 0, bytes.length, place * JOURNAL_PLACE_BYTES);
      return true;
    } catch {
      // The disk fails. What is read is recorded all the same, unless this process is killed.
      return false;
    }
  };
  return {
    add(reads) {
      const place = free.pop();
      if (place === undefined) return null;
      if (write(place, JSON.stringify(reads) + END)) return place;
      free.push(place);
      return null;
    },
    set: (place, reads) => void write(place, JSON.stringify(reads) + END),
    remove(place) {
      write(place, END);
      free.push(place);
    },
  };
}

export async function hasJournal(folder: string): Promise<boolean> {
  const found = await stat(join(folder, FILE_NAME)).catch(() => null);
  return found !== null;
}

/** What a journal holds that nobody writes to any more. A damaged place holds nothing. */
export async function readJournal(folder: string): Promise<readonly UnrecordedReads[]> {
  const file = await open(join(folder, FILE_NAME), 'r');
  try {
    const bytes = await file.readFile();
    const found: UnrecordedReads[] = [];
    for (let from = 0; from < bytes.length; from += JOURNAL_PLACE_BYTES) {
      const place = bytes.subarray(from, from + JOURNAL_PLACE_BYTES);
      const end = place.indexOf(END);
      if (end <= 0) continue;
      try {
        found.push(JSON.parse(place.subarray(0, end).toString()) as UnrecordedReads);
      } catch {
        // Nothing but another program writes such a line.
      }
    }
    return found;
  } finally {
    await file.close();
  }
}
