/**
 * Sets of sort keys as intervals, so that any AND and OR of comparisons becomes the fewest key conditions. A sort key may
 * have several attributes: keys are lists of values, which are ordered from left to right.
 */
import { textAfter } from '../../logical/text-order.ts';
import type { KeyValue } from '../table-read.ts';
import { compareKeyValues, compareTuples } from './key-value.ts';

/** A place between keys: just below all that begin with these values, or just above them. */
export interface Cut {
  readonly values: readonly KeyValue[];
  readonly side: 'below' | 'above';
}

/** Keys between two cuts; null: no bound on that side. Never empty. */
export interface Interval {
  readonly low: Cut | null;
  readonly high: Cut | null;
}

/**
 * Intervals that do not overlap, ascending. They touch only where one key condition cannot be said of both. Empty: no key.
 */
export type Intervals = readonly Interval[];

export const ALL_KEYS: Intervals = Object.freeze([Object.freeze({ low: null, high: null })]);

function compareCuts(a: Cut, b: Cut): number {
  const order = compareTuples(a.values, b.values);
  if (order !== 0) return order;
  // The longer one is between the keys that the shorter one is below or above.
  if (a.values.length < b.values.length) return a.side === 'below' ? -1 : 1;
  if (a.values.length > b.values.length) return b.side === 'below' ? 1 : -1;
  return a.side === b.side ? 0 : a.side === 'below' ? -1 : 1;
}

/** Where an interval begins: no bound lies below all. */
function compareLows(a: Cut | null, b: Cut | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  return compareCuts(a, b);
}

/** Where an interval ends: no bound lies above all. */
function compareHighs(a: Cut | null, b: Cut | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return compareCuts(a, b);
}

/** The keys between two cuts, as none or one interval. */
export function between(low: Cut | null, high: Cut | null): Intervals {
  return low !== null && high !== null && compareCuts(low, high) >= 0 ? [] : [{ low, high }];
}

/** The keys that begin with these values, of which there is one at least. */
export function pointOf(...values: readonly KeyValue[]): Interval {
  return { low: { values, side: 'below' }, high: { values, side: 'above' } };
}

/** The keys that begin with these values, and whose other attributes are in the interval. */
export function under(values: readonly KeyValue[], { low, high }: Interval): Interval {
  if (values.length === 0) return { low, high };
  const whole = pointOf(...values);
  return {
    low: low === null ? whole.low : { ...low, values: [...values, ...low.values] },
    high: high === null ? whole.high : { ...high, values: [...values, ...high.values] },
  };
}

/** How many attributes have one value each in all of an interval, less one where that is all that its ends say. */
export function boundAttributes({ low, high }: Interval): number {
  if (low === null || high === null) return 0;
  const most = Math.min(low.values.length, high.values.length);
  let depth = 0;
  while (
    depth < most &&
    compareKeyValues(low.values[depth] as KeyValue, high.values[depth] as KeyValue) === 0
  )
    depth++;
  return depth === Math.max(low.values.length, high.values.length) ? depth - 1 : depth;
}

/** Whether the union of two intervals, the lower one first, is one that loses nothing as a key condition. */
function isJoined(last: Interval, next: Interval): boolean {
  if (last.high === null || next.low === null) return true;
  const order = compareCuts(next.low, last.high);
  return order < 0 || (order === 0 && boundAttributes(last) === boundAttributes(next));
}

export function unionOf(intervals: Intervals): Intervals {
  const merged: Interval[] = [];
  // Of those that begin alike the longest first: it may be joined with the one before, and holds the others.
  const inOrder = [...intervals].sort((a, b) => compareLows(a.low, b.low) || compareHighs(b.high, a.high));
  for (const next of inOrder) {
    const last = merged.at(-1);
    if (last === undefined || !isJoined(last, next)) merged.push(next);
    else if (compareHighs(next.high, last.high) > 0)
      merged[merged.length - 1] = { low: last.low, high: next.high };
  }
  return merged;
}

export function intersectionOf(a: Intervals, b: Intervals): Intervals {
  const common: Interval[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const [x, y] = [a[i] as Interval, b[j] as Interval];
    const low = compareLows(x.low, y.low) > 0 ? x.low : y.low;
    const xEndsFirst = compareHighs(x.high, y.high) < 0;
    common.push(...between(low, xEndsFirst ? x.high : y.high));
    if (xEndsFirst) i++;
    else j++;
  }
  return common;
}

/** From the first key to the last: one interval, or none. */
export function hullOf(intervals: Intervals): Intervals {
  const [first] = intervals;
  return first === undefined ? [] : [{ low: first.low, high: intervals.at(-1)?.high ?? null }];
}

/** Whether all keys of the interval are among the others. */
export function covers(intervals: Intervals, { low, high }: Interval): boolean {
  let [from, to] = [0, intervals.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (compareLows((intervals[middle] as Interval).low, low) <= 0) from = middle + 1;
    else to = middle;
  }
  const candidate = intervals[from - 1];
  return candidate !== undefined && compareHighs(candidate.high, high) >= 0;
}

/** The texts that begin so. */
export function prefixInterval(prefix: string): Interval {
  const after = textAfter(prefix);
  return {
    low: { values: [{ type: 'S', value: prefix }], side: 'below' },
    high: after === null ? null : { values: [{ type: 'S', value: after }], side: 'below' },
  };
}
