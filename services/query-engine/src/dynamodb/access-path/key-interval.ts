/** Sets of sort keys as intervals, so that any AND and OR of comparisons becomes the fewest key conditions. */
import type { KeyValue, SortCondition } from '../table-read.ts';
import { compareKeyValues } from './key-value.ts';
import { sortKeyBytesMax } from './limits.ts';

/** A place between keys: just below a value, or just above it. */
export interface Cut {
  readonly value: KeyValue;
  readonly side: 'below' | 'above';
}

/** Keys between two cuts; null: no bound on that side. Never empty. */
export interface Interval {
  readonly low: Cut | null;
  readonly high: Cut | null;
}

/** Intervals that do not touch, ascending. Empty: no key. */
export type Intervals = readonly Interval[];

export const ALL_KEYS: Intervals = Object.freeze([Object.freeze({ low: null, high: null })]);

function compareCuts(a: Cut, b: Cut): number {
  const order = compareKeyValues(a.value, b.value);
  if (order !== 0 || a.side === b.side) return order;
  return a.side === 'below' ? -1 : 1;
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

export function pointOf(value: KeyValue): Interval {
  return { low: { value, side: 'below' }, high: { value, side: 'above' } };
}

export function unionOf(intervals: Intervals): Intervals {
  const merged: Interval[] = [];
  for (const next of [...intervals].sort((a, b) => compareLows(a.low, b.low))) {
    const last = merged.at(-1);
    const touches =
      last !== undefined &&
      (last.high === null || next.low === null || compareCuts(next.low, last.high) <= 0);
    if (!touches) merged.push(next);
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
    low: { value: { type: 'S', value: prefix }, side: 'below' },
    high: after === null ? null : { value: { type: 'S', value: after }, side: 'below' },
  };
}

/** The least text above all that begin so, by code points (which UTF-8 sorts by); null where there is none. */
function textAfter(prefix: string): string | null {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const next = (last.codePointAt(0) ?? 0) + 1;
    if (next > 0x10ffff) continue;
    return points.join('') + String.fromCodePoint(next === 0xd800 ? 0xe000 : next);
  }
  return null;
}

/**
 * The key condition for an interval (null: any sort key), and what it really reads: DynamoDB's BETWEEN includes both ends,
 * and takes no bound that is longer than a key can be.
 */
export function sortConditionOf(interval: Interval): {
  readonly condition: SortCondition | null;
  readonly reads: Interval;
} {
  const { low } = interval;
  const high = interval.high !== null && isTooLong(interval.high.value) ? null : interval.high;
  const reads = { low, high };
  if (low !== null && low.side === 'below' && isPrefix(low.value, interval.high))
    return { condition: { operator: 'begins_with', value: low.value }, reads: interval };
  if (low === null && high === null) return { condition: null, reads };
  if (low === null)
    return {
      condition: { operator: high?.side === 'above' ? '<=' : '<', value: (high as Cut).value },
      reads,
    };
  if (high === null)
    return { condition: { operator: low.side === 'below' ? '>=' : '>', value: low.value }, reads };
  const ends: Interval = { low: { ...low, side: 'below' }, high: { ...high, side: 'above' } };
  if (compareKeyValues(low.value, high.value) === 0)
    return { condition: { operator: '=', value: low.value }, reads: ends };
  return { condition: { operator: 'BETWEEN', low: low.value, high: high.value }, reads: ends };
}

/** The sort keys that a key condition reads: what `sortConditionOf` was made for, and what else it reads. */
export function intervalOf(condition: SortCondition): Interval {
  switch (condition.operator) {
    case '=':
      return pointOf(condition.value);
    case '<':
    case '<=':
      return {
        low: null,
        high: { value: condition.value, side: condition.operator === '<' ? 'below' : 'above' },
      };
    case '>':
    case '>=':
      return {
        low: { value: condition.value, side: condition.operator === '>' ? 'above' : 'below' },
        high: null,
      };
    case 'BETWEEN':
      return { low: { value: condition.low, side: 'below' }, high: { value: condition.high, side: 'above' } };
    case 'begins_with':
      return prefixInterval(condition.value.value);
  }
}

function isPrefix(value: KeyValue, high: Cut | null): boolean {
  if (value.type !== 'S' || value.value === '') return false;
  const end = prefixInterval(value.value).high;
  if (high === null || end === null) return high === end;
  return high.side === 'below' && high.value.value === end.value.value;
}

function isTooLong({ type, value }: KeyValue): boolean {
  return type === 'S' && Buffer.byteLength(value) > sortKeyBytesMax;
}
