/** What lookups with a certain path behind them cost at most, whatever the keys turn out to lead to. */
import { decideBefore, type LookupDecision } from './choose-lookups.ts';
import { openLedger } from './ledger.ts';
import { REGRET_MAX, SPENT_MAX } from './limits.ts';
import { mostUnits, type PriceRange } from './price-range.ts';

export interface LookupPromise {
  /** Units. */
  readonly low: number;
  /** Beside the pages that are in flight when the certain path is taken. */
  readonly high: number;
  /** `goOn`: as long as what is left is expected to cost less than the certain path. */
  readonly decision: LookupDecision;
}

/** `certain`: units of the certain path. */
export function promiseOf(price: PriceRange, certain: number): LookupPromise {
  const decision = decideBefore([openLedger(price, { units: price.floor, weight: 0 })], certain);
  const least = price.keys * price.floor;
  switch (decision) {
    case 'certainPath':
      return { low: certain, high: certain, decision };
    case 'all':
      return { low: Math.min(least, certain), high: mostUnits(price, price.keys), decision };
    case 'goOn': {
      // Where there is more to be read than the certain path reads, it may take over late.
      const tried = price.scan <= certain ? Math.max(REGRET_MAX * certain, least) : SPENT_MAX * certain;
      return { low: least, high: Math.min(certain + tried, mostUnits(price, price.keys)), decision };
    }
  }
}
