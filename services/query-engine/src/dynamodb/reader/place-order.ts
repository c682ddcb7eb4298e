/** Puts looked-up items where they belong now in the order in which their index gave their entries. */
import type { ColumnBatch } from '../column-batch.ts';
import { comparePlaces, type IndexPlace } from './index-place.ts';

/** An item that was looked up. */
export interface FoundItem {
  readonly batch: ColumnBatch;
  readonly row: number;
  /** Where the index had it. */
  readonly entry: IndexPlace;
  /** Where it belongs now; null: nowhere in the index. */
  readonly place: IndexPlace | null;
}

export interface PlaceOrder {
  /** The item and those that were held back until its entry's place, as far as their turn has come. */
  next(item: FoundItem): readonly FoundItem[];
  readonly isHolding: boolean;
  /** Those that are still held back. */
  rest(): readonly FoundItem[];
}

/**
 * An item that moved forwards since it was indexed is held back until the order has come to its new place. For one that
 * moved backwards, rows that come after it may be on their way to the caller: it comes at once, and whoever cuts a page
 * sorts it within that page. What comes out, up to any row, depends only on what was read up to there, so that each page
 * of a statement goes on where the one before ended.
 */
export function createPlaceOrder(descending: boolean): PlaceOrder {
  const sign = descending ? -1 : 1;
  const held: FoundItem[] = [];
  const comesAfter = (a: IndexPlace, b: IndexPlace): boolean => sign * comparePlaces(a, b) > 0;
  /** How many of those held back come no later than the place. */
  const countUpTo = (place: IndexPlace): number => {
    let [from, to] = [0, held.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (comesAfter(held[middle]?.place as IndexPlace, place)) to = middle;
      else from = middle + 1;
    }
    return from;
  };
  return {
    next(item) {
      let ready = 0;
      while (ready < held.length && comesAfter(item.entry, held[ready]?.place as IndexPlace)) ready++;
      const released = held.splice(0, ready);
      if (item.place === null || !comesAfter(item.place, item.entry)) return [...released, item];
      held.splice(countUpTo(item.place), 0, item);
      return released;
    },
    get isHolding() {
      return held.length > 0;
    },
    rest: () => held.splice(0),
  };
}
