/** Intervals of sort keys as key conditions: what DynamoDB can be asked for, and what it reads then. */
import type { KeyValue, SortCondition, SortRange } from '../table-read.ts';
import { boundAttributes, pointOf, prefixInterval, under, type Cut, type Interval } from './key-interval.ts';
import { compareKeyValues, compareTuples, keyBytes } from './key-value.ts';
import { sortKeyBytesMax } from './limits.ts';

/** A key condition, and all that it reads. */
export interface ReadRange {
  readonly range: SortRange | null;
  readonly reads: Interval;
}

/**
 * The key condition for an interval (null: any sort key), and what it really reads. Attributes are bound by equality up to
 * the first in which the interval's ends differ; what they say of later ones is lost. DynamoDB's BETWEEN includes both
 * ends, and it takes no values that are longer than a key can be.
 */
export function sortRangeOf(interval: Interval): ReadRange {
  const depth = boundAttributes(interval);
  const equals = (interval.low ?? interval.high)?.values.slice(0, depth) ?? [];
  const here = intervalAt(interval, depth);
  if (here.low === null && here.high === null) return { range: null, reads: interval };
  const { last, reads } = conditionOf(here);
  return last === null
    ? { range: null, reads: { low: null, high: null } }
    : shortened({ range: { equals, last }, reads: under(equals, reads) });
}

/** The sort keys that a key condition reads. */
export function intervalOf({ equals, last }: SortRange): Interval {
  return under(equals, attributeInterval(last));
}

/** What an interval says of one attribute of the sort key, where the attributes before it are bound by equality or not. */
export function intervalAt(interval: Interval, at: number): Interval {
  const { low, high } = interval;
  const depth = boundAttributes(interval);
  const value = low?.values[at];
  if (at < depth && value !== undefined) return pointOf(value);
  if (at > depth) return { low: null, high: null };
  return { low: boundAt(low, at, 'below'), high: boundAt(high, at, 'above') };
}

/** Where an end is in one attribute; `outer`: the side on which it takes in what is said of later ones. */
function boundAt(cut: Cut | null, at: number, outer: Cut['side']): Cut | null {
  const value = cut?.values[at];
  if (cut === null || value === undefined) return null;
  return { values: [value], side: cut.values.length > at + 1 ? outer : cut.side };
}

/** Of an interval of one attribute, with a bound. */
function conditionOf(interval: Interval): { readonly last: SortCondition | null; readonly reads: Interval } {
  const low = interval.low?.values[0];
  const isHighSent = interval.high !== null && !isTooLong(interval.high);
  const high = isHighSent ? interval.high.values[0] : undefined;
  const reads: Interval = { low: interval.low, high: isHighSent ? interval.high : null };
  const [above, upTo] = [interval.low?.side === 'above', interval.high?.side === 'above'];
  if (low !== undefined && !above && isPrefix(low, interval.high))
    return { last: { operator: 'begins_with', value: low }, reads: interval };
  if (low === undefined)
    return high === undefined
      ? { last: null, reads }
      : { last: { operator: upTo ? '<=' : '<', value: high }, reads };
  if (high === undefined) return { last: { operator: above ? '>' : '>=', value: low }, reads };
  const ends: Interval = { low: { values: [low], side: 'below' }, high: { values: [high], side: 'above' } };
  if (compareKeyValues(low, high) === 0) return { last: { operator: '=', value: low }, reads: ends };
  return { last: { operator: 'BETWEEN', low, high }, reads: ends };
}

function attributeInterval(condition: SortCondition): Interval {
  switch (condition.operator) {
    case '=':
      return pointOf(condition.value);
    case '<':
    case '<=':
      return {
        low: null,
        high: { values: [condition.value], side: condition.operator === '<' ? 'below' : 'above' },
      };
    case '>':
    case '>=':
      return {
        low: { values: [condition.value], side: condition.operator === '>' ? 'above' : 'below' },
        high: null,
      };
    case 'BETWEEN':
      return {
        low: { values: [condition.low], side: 'below' },
        high: { values: [condition.high], side: 'above' },
      };
    case 'begins_with':
      return prefixInterval(condition.value.value);
  }
}

/** The bytes of all that is bound count together, as far as anybody knows: what exceeds them is left out from the right. */
function shortened({ range, reads }: ReadRange): ReadRange {
  if (range === null || range.equals.length === 0 || bytesOf(range) <= sortKeyBytesMax)
    return { range, reads };
  const equals = range.equals.slice(0, -1);
  const value = range.equals.at(-1) as KeyValue;
  return shortened({
    range: { equals, last: { operator: '=', value } },
    reads: pointOf(...range.equals),
  });
}

function bytesOf({ equals, last }: SortRange): number {
  const bound = equals.reduce((sum, value) => sum + keyBytes(value), 0);
  const values = last.operator === 'BETWEEN' ? [last.low, last.high] : [last.value];
  return bound + Math.max(...values.map(keyBytes));
}

function isPrefix(value: KeyValue, high: Cut | null): boolean {
  if (value.type !== 'S' || value.value === '') return false;
  const end = prefixInterval(value.value).high;
  if (high === null || end === null) return high === end;
  return high.side === 'below' && compareTuples(high.values, end.values) === 0;
}

function isTooLong({ values }: Cut): boolean {
  const [value] = values;
  return value?.type === 'S' && keyBytes(value) > sortKeyBytesMax;
}
