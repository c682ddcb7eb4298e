import type { TableRead } from '../table-read.ts';
import { openLedger, type LookupLedger } from './ledger.ts';
import { SAMPLED_WEIGHT } from './limits.ts';
import { priceRangeOf } from './price-range.ts';

/**
 * What is known of a Query of several partitions before the first is looked up. Null for other reads: of whole keys the
 * number tells the price, of a few items of each range as well, and where few rows may be enough they are asked for in
 * their order.
 */
export function ledgerOf(read: TableRead): LookupLedger | null {
  const { path, table, estimate, stopAfter } = read;
  const price = priceRangeOf(read);
  if (price === null || path.kind !== 'Query' || path.merged || stopAfter !== null) return null;
  if (path.topOfEach !== undefined) return null;
  const units = Math.max(price.floor, estimate.units / price.keys);
  return openLedger(price, { units, weight: table.sampledItems > 0 ? SAMPLED_WEIGHT : 0 });
}
