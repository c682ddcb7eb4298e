/**
 * The file in which a worker records for which queries it works and what they have read, and how its host reads it. Writing
 * it is a system call of some microseconds, and what was written is there however the worker ends.
 *
 * Numbers of four bytes: how often the thread went from one piece of work to the next, the query that has it; those that
 * DuckDB computes for, 0 where a place is free; then pairs of a query, 0 where a place is free, and the half units that it
 * has read.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { RecordWork } from '../scheduling/work-record.ts';
import { COMPUTING_RECORDED_MAX, QUERIES_RECORDED_MAX } from './limits.ts';

const COMPUTING_FROM = 2;
const READ_FROM = COMPUTING_FROM + COMPUTING_RECORDED_MAX;
const NUMBERS = READ_FROM + 2 * QUERIES_RECORDED_MAX;
const NUMBER_BYTES = 4;

/** What a worker works on. */
export interface WorkSeen {
  /** Changes whenever the thread begins something. */
  readonly steps: number;
  /** The query that has the thread; 0: none. */
  readonly holder: number;
  readonly computing: readonly number[];
}

const NOTHING_SEEN: WorkSeen = Object.freeze({ steps: 0, holder: 0, computing: [] });

/** What a query has read, as long as its host may have to know it from here. */
export interface ReadRecord {
  /** All that the query has read, half units. Called before what was read is looked at. */
  set(halfUnits: number): void;
  /** The host has heard of it. */
  readonly close: () => void;
}

export interface WorkRecorder {
  of(query: number): RecordWork;
  /** Throws where more queries run than any host gives a worker. */
  reading(query: number): ReadRecord;
}

export function createWorkRecorder(path: string): WorkRecorder {
  const file = openSync(path, 'r+');
  const numbers = new Uint32Array(NUMBERS);
  const bytes = new Uint8Array(numbers.buffer);
  const write = (from: number, count: number): void => {
    writeSync(file, bytes, from * NUMBER_BYTES, count * NUMBER_BYTES, from * NUMBER_BYTES);
  };
  const setHolder = (holder: number): void => {
    numbers[0]!++;
    numbers[1] = holder;
    write(0, COMPUTING_FROM);
  };
  let willRest = false;
  /** When the event loop comes round, nobody has the thread. */
  const rest = (): void => {
    willRest = false;
    setHolder(0);
  };
  const hold = (query: number): void => {
    if (numbers[1] !== query) setHolder(query);
    if (willRest) return;
    willRest = true;
    setImmediate(rest);
  };
  // A place is taken again as late as can be. The host hears in this order of the queries that have ended, and gives a worker
  // no more at once than half of the places are for: what it has not heard of is still there, also where it is killed.
  const freePlaces = Array.from({ length: QUERIES_RECORDED_MAX }, (_, i) => READ_FROM + 2 * i);
  return {
    of: (query) => ({
      hold: () => hold(query),
      compute() {
        const place = numbers.subarray(0, READ_FROM).indexOf(0, COMPUTING_FROM);
        // More than there are threads: those that are recorded are the ones that compute.
        if (place === -1) return () => undefined;
        numbers[place] = query;
        write(place, 1);
        return () => {
          numbers[place] = 0;
          write(place, 1);
        };
      },
    }),
    reading(query) {
      const place = freePlaces.shift();
      if (place === undefined) throw new Error('more queries than a work record has room for');
      return {
        set(halfUnits) {
          numbers[place] = query;
          numbers[place + 1] = halfUnits;
          write(place, 2);
        },
        close() {
          // Whoever has the place next writes it.
          freePlaces.push(place);
        },
      };
    },
  };
}

export interface WorkReader {
  read(): WorkSeen;
  /** The half units that each query has read, of those that the worker may not have told. */
  unitsRead(): ReadonlyMap<number, number>;
  close(): void;
}

function unitsIn(numbers: Uint32Array): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (let place = READ_FROM; place < NUMBERS; place += 2) {
    const query = numbers[place] ?? 0;
    if (query !== 0) found.set(query, numbers[place + 1] ?? 0);
  }
  return found;
}

/** The half units that each query had read, by the file that a worker left whose host is gone. */
export async function unitsInRecord(path: string): Promise<ReadonlyMap<number, number>> {
  const numbers = new Uint32Array(NUMBERS);
  const bytes = await readFile(path);
  new Uint8Array(numbers.buffer).set(bytes.subarray(0, NUMBERS * NUMBER_BYTES));
  return unitsIn(numbers);
}

/** Makes the file, and reads it whenever asked. */
export function createWorkReader(path: string): WorkReader {
  const file = openSync(path, 'w+', 0o600);
  const numbers = new Uint32Array(NUMBERS);
  const bytes = new Uint8Array(numbers.buffer);
  writeSync(file, bytes);
  let isOpen = true;
  const readNumbers = (count: number): boolean => {
    if (isOpen) readSync(file, bytes, 0, count * NUMBER_BYTES, 0);
    return isOpen;
  };
  return {
    read() {
      if (!readNumbers(READ_FROM)) return NOTHING_SEEN;
      const [steps = 0, holder = 0] = numbers;
      const computing = numbers.subarray(COMPUTING_FROM, READ_FROM).filter((query) => query !== 0);
      return { steps, holder, computing: [...computing] };
    },
    unitsRead: () => (readNumbers(NUMBERS) ? unitsIn(numbers) : new Map<number, number>()),
    close() {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  };
}
