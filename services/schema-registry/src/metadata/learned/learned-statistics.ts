import {
  LEARNED_FILTERS_MAX,
  LEARNED_KEYS_MAX,
  LEARNED_KEYS_WEIGHT_MAX,
  LEARNED_ROWS_WEIGHT_MAX,
} from '../../limits.ts';

/** What was found by keys of a path. No value of a key is here. */
export interface LearnedKeys {
  /** Empty: the table. */
  readonly index: string;
  readonly keyColumns: readonly string[];
  readonly keys: number;
  /** Of the keys, those without any item. */
  readonly missing: number;
  readonly items: number;
  readonly units: number;
}

/** What passed a filter of a path. No value of a filter is here. */
export interface LearnedFilter {
  /** Empty: the table. */
  readonly index: string;
  /** The filter without its values. */
  readonly form: string;
  readonly read: number;
  readonly passed: number;
}

/** What executed queries saw of a table; the entries that were reported last come first. */
export interface LearnedStatistics {
  readonly keys: readonly LearnedKeys[];
  readonly filters: readonly LearnedFilter[];
}

/** Of a table of which no query has told. */
export const NOTHING_LEARNED: LearnedStatistics = Object.freeze({
  keys: Object.freeze([]),
  filters: Object.freeze([]),
});

/**
 * What is known after a report. Of what it tells anew, what was known counts half; and together no more than a few keys or
 * rows, so that the next report changes it. What it does not tell of stays.
 */
export function learn(known: LearnedStatistics, seen: LearnedStatistics): LearnedStatistics {
  return Object.freeze({
    keys: merged(known.keys, seen.keys, keysPlace, addKeys, LEARNED_KEYS_MAX),
    filters: merged(known.filters, seen.filters, filterPlace, addFilter, LEARNED_FILTERS_MAX),
  });
}

/** What an entry is about, as text. */
export function keysPlace({ index, keyColumns }: LearnedKeys): string {
  return JSON.stringify([index, ...keyColumns]);
}

/** What an entry is about, as text. */
export function filterPlace({ index, form }: LearnedFilter): string {
  return JSON.stringify([index, form]);
}

function merged<T>(
  known: readonly T[],
  seen: readonly T[],
  place: (entry: T) => string,
  add: (known: T | undefined, seen: T) => T,
  max: number,
): readonly T[] {
  const before = new Map(known.map((entry) => [place(entry), entry]));
  const told = new Map<string, T>();
  for (const entry of seen) {
    const at = place(entry);
    told.set(at, add(told.get(at) ?? before.get(at), entry));
  }
  const untold = known.filter((entry) => !told.has(place(entry)));
  return Object.freeze([...told.values(), ...untold].slice(0, max));
}

function addKeys(known: LearnedKeys | undefined, seen: LearnedKeys): LearnedKeys {
  const sum = (of: (entry: LearnedKeys) => number): number =>
    (known === undefined ? 0 : of(known) / 2) + of(seen);
  const keys = sum((entry) => entry.keys);
  const weight = Math.min(1, LEARNED_KEYS_WEIGHT_MAX / keys);
  return Object.freeze({
    index: seen.index,
    keyColumns: seen.keyColumns,
    keys: rounded(keys * weight),
    missing: rounded(sum((entry) => entry.missing) * weight),
    items: rounded(sum((entry) => entry.items) * weight),
    units: rounded(sum((entry) => entry.units) * weight),
  });
}

function addFilter(known: LearnedFilter | undefined, seen: LearnedFilter): LearnedFilter {
  const sum = (of: (entry: LearnedFilter) => number): number =>
    (known === undefined ? 0 : of(known) / 2) + of(seen);
  const read = sum((entry) => entry.read);
  const weight = Math.min(1, LEARNED_ROWS_WEIGHT_MAX / read);
  return Object.freeze({
    index: seen.index,
    form: seen.form,
    read: rounded(read * weight),
    passed: rounded(sum((entry) => entry.passed) * weight),
  });
}

function rounded(figure: number): number {
  return Number(figure.toPrecision(4));
}
