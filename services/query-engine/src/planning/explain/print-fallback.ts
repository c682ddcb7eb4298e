/** What a dynamically filtered scan costs at least and at most, and what is read where its keys turn out to cost more. */
import { priceRangeOf } from '../../dynamodb/bounded-regret/price-range.ts';
import { promiseOf, type LookupPromise } from '../../dynamodb/bounded-regret/promise.ts';
import type { TableRead } from '../../dynamodb/table-read.ts';
import { isOfFewItems } from '../dynamic-filters/lookup-shape.ts';
import type { IndexLookupChoice } from '../index-lookup.ts';
import type { FilteredScan } from '../physical-plan.ts';

function units(number: number): string {
  return String(Math.round(number * 2) / 2);
}

function rangeFor(low: number, high: number, keys: number): string {
  const range = low === high ? units(low) : `${units(low)}–${units(high)}`;
  return `units: ${range} for ${keys} key${keys === 1 ? '' : 's'}`;
}

function when({ decision, high }: LookupPromise, certain: number): string {
  switch (decision) {
    case 'all':
      return high > certain
        ? `not needed, at most ${Math.ceil((high / certain - 1) * 100)} % above it`
        : 'not needed, it costs no less';
    case 'certainPath':
      return 'likely, since so many keys alone cost almost as much';
    case 'goOn':
      return 'when what is left is projected above it';
  }
}

/** Of an index lookup, whose entries are counted before any item is read. */
export function printCounted({ fallback }: Pick<IndexLookupChoice, 'fallback'>): string {
  return `otherwise: ${fallback.path.kind}, ${units(fallback.estimate.units)} read units, where what is found costs more`;
}

/** For as many keys as are expected. */
export function printFallback(
  read: TableRead,
  { keys, fallback, unitsMax }: Pick<FilteredScan, 'keys' | 'fallback' | 'unitsMax'>,
): readonly string[] {
  const otherwise = `otherwise: ${fallback.path.kind}, ${units(unitsMax)} read units`;
  const price = priceRangeOf(read);
  if (price === null || price.scan === Infinity) return [`${otherwise}, where what is found costs more`];
  // What an item costs is known well, so that the number of keys decides.
  if (isOfFewItems(read)) return [`${otherwise}, where as many keys as there are cost more`];
  const promise = promiseOf({ ...price, keys }, unitsMax);
  return [rangeFor(promise.low, promise.high, keys), `${otherwise}, ${when(promise, unitsMax)}`];
}
