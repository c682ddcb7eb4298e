/** Between which units a dynamically filtered scan will come out, as far as the number of its keys is known before. */
import { WORTHWHILE_PART } from './limits.ts';
import { mostUnits, type PriceRange } from './price-range.ts';
import { promiseOf } from './promise.ts';

export interface ExpectedKeys {
  /** Different ones at least, and at most. */
  readonly least: number;
  readonly most: number;
}

export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** `one`: of a single key. `certain`: of the certain path, and the units that keys are weighed against. */
export interface Prices {
  readonly price: PriceRange;
  /** Whether a key is of one item at most, or of a few, so that their number decides alone. */
  readonly isWhole: boolean;
  readonly one: Bounds & { readonly units: number };
  readonly certain: Bounds & { readonly units: number };
}

/** The most that so many keys, or fewer, cost. */
function mostOf({ price, isWhole, one, certain }: Prices, keys: number): number {
  const each = isWhole ? one.units : price.floor;
  const limit = (isWhole ? certain.units : WORTHWHILE_PART * certain.units) / each;
  const lookedUp = Math.max(1, Math.min(keys, Math.floor(limit)));
  const most = isWhole
    ? mostUnits(price, lookedUp)
    : promiseOf({ ...price, keys: lookedUp }, certain.high).high;
  const high = Math.min(lookedUp * one.high, most);
  return keys > limit ? Math.max(high, certain.high) : high;
}

/** No key is looked up where there is none; more of them than the certain path is worth cost what that does. */
export function filteredBounds(prices: Prices, { least, most }: ExpectedKeys): Bounds {
  const low = Math.min(least * prices.price.floor, prices.certain.low);
  return { low, high: Math.max(low, mostOf(prices, most)) };
}
