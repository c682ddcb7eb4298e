/**
 * Whether keys of an index are worth counting. Where all rows of a scan are wanted, they are counted before the first is
 * looked up (`../../execution/loading/index-lookup.ts`), no more of them than all else is worth: a guess that was wrong
 * costs their entries, and one that was right spares most of what all else costs.
 */
import type { CatalogTable } from '../../catalog/table.ts';
import { REGRET_MAX, WORTHWHILE_PART } from '../bounded-regret/limits.ts';
import type { Candidate } from './candidate.ts';
import { leastUnits, sizeOf, unitsOfKeys, unitsOfRange } from './estimate.ts';

/** How far a guess of the part that lies within a range may be off, and be worth a try. */
const RANGE_TOLERANCE = 4;

/** So many times what all else costs may be guessed: what a table without a sample holds, nobody knows. */
function tolerance({ path }: Candidate, { sampledItems }: CatalogTable): number {
  if (sampledItems === 0) return Infinity;
  const isOfRange =
    path.kind === 'IndexLookup' &&
    path.ranges.some(({ sort }) => sort !== null && sort.last.operator !== '=');
  return isOfRange ? RANGE_TOLERANCE : 1;
}

/** The most that is spent on entries in vain. `others`: units of all else. */
function unitsInVain({ index }: Candidate, table: CatalogTable, others: number, consistent: boolean): number {
  const size = sizeOf(table, index);
  const entries = others / unitsOfKeys(1, sizeOf(table, null), consistent) + 1;
  return unitsOfRange(Math.min(size.items, entries), size, consistent);
}

/**
 * The lookup with what it costs at most, as far as it is left in time; null where it is not worth counting. `units`: as
 * guessed.
 */
export function countedLookup(
  lookup: Candidate,
  table: CatalogTable,
  { units, others }: { readonly units: number; readonly others: number },
  consistent: boolean,
): Candidate | null {
  if (units <= others) return lookup;
  const ranges = lookup.path.kind === 'IndexLookup' ? lookup.path.ranges.length : 0;
  const inVain = Math.max(unitsInVain(lookup, table, others, consistent), ranges * leastUnits(consistent));
  const isLittle =
    inVain <= REGRET_MAX * others && ranges * leastUnits(consistent) <= WORTHWHILE_PART * others;
  if (!isLittle || units > tolerance(lookup, table) * others) return null;
  return { ...lookup, units: Math.min(lookup.units, others + inVain) };
}
