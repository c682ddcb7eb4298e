/**
 * Between which read units a statement will probably come out. What is certain is wide: a read that ends once its page is
 * full may cost half a unit or all of the table. Where what is known of the table tells more, this is narrower; over the
 * generated workload 99 of 100 queries come out within it, and the test of that asks for 95.
 */
import { queryKey, type CatalogTable, type SecondaryIndex } from '../catalog/table.ts';
import { isCounted, itemsPerValue, leastUnits, sizeOf } from '../dynamodb/access-path/estimate.ts';
import { STALENESS, sumOfBounds, type UnitBounds } from '../dynamodb/access-path/unit-bounds.ts';
import type { TableRead } from '../dynamodb/table-read.ts';
import { FEW_BYTES_MAX, KEYS_FOUND_SPREAD, NEARLY_UNIQUE_ITEMS_MAX, SEVERAL_ITEMS_FACTOR } from './limits.ts';
import type { PhysicalPlan } from './physical-plan.ts';

/** What a rule is about. */
interface Asked {
  readonly read: TableRead;
  /** Its keys are found by other reads. */
  readonly isFiltered: boolean;
}

/** Null where it says nothing. */
type Rule = (asked: Asked) => UnitBounds | null;

const inHalves = ({ low, high }: UnitBounds): UnitBounds => ({
  low: Math.floor(low * 2) / 2,
  high: Math.ceil(high * 2) / 2,
});

/** A scan whose rows are not expected to fill the page goes to the end of the table. */
function wholeScan({ read: { path, table, consistent, estimate } }: Asked): UnitBounds | null {
  if (path.kind !== 'Scan' || !isCounted(table)) return null;
  const { units, high } = estimate;
  const all = (high - (path.segments - 1) * leastUnits(consistent)) / (1 + STALENESS);
  return units < all - leastUnits(consistent) ? null : { low: units * (1 - STALENESS), high };
}

/** Whole keys that the statement names: each costs what it costs, found or not. */
function keysOfStatement({ read: { path, estimate }, isFiltered }: Asked): UnitBounds | null {
  if (isFiltered || (path.kind !== 'GetItem' && path.kind !== 'BatchGetItem')) return null;
  return { low: estimate.units, high: estimate.high };
}

/** The index that a Query reads; null: the table. Undefined where it is not known any more. */
function indexOf(table: CatalogTable, name: string | null): SecondaryIndex | null | undefined {
  return name === null ? null : table.indexes.find((index) => index.name === name);
}

/** Whether hardly two items of a table, or of an index, have one partition key. */
function isNearlyUnique(table: CatalogTable, index: SecondaryIndex | null): boolean {
  const [key, ...others] = queryKey(table, index).partitionKeys;
  if (key === undefined || others.length > 0) return false;
  return itemsPerValue(table, key.name, sizeOf(table, index).items) <= NEARLY_UNIQUE_ITEMS_MAX;
}

/** Partitions of hardly more than an item: each costs the least that a Query does. */
function partitionsOfOne({
  read: { path, table, consistent, estimate },
  isFiltered,
}: Asked): UnitBounds | null {
  if (path.kind !== 'Query') return null;
  const index = indexOf(table, path.index);
  if (index === undefined || !isNearlyUnique(table, index)) return null;
  const { units } = estimate;
  if (isFiltered) return { low: units / KEYS_FOUND_SPREAD, high: units * KEYS_FOUND_SPREAD };
  if (units > path.ranges.length * leastUnits(consistent)) return null;
  return { low: units, high: SEVERAL_ITEMS_FACTOR * units };
}

/** Few and small items: even several times as many cost the least that a Query does. */
function fewItems({ read, isFiltered }: Asked): UnitBounds | null {
  const { path, table, filter, consistent, estimate } = read;
  if (path.kind !== 'Query' || isFiltered || filter !== null || !isCounted(table)) return null;
  const index = indexOf(table, path.index);
  if (index === undefined) return null;
  const bytes = estimate.rows * sizeOf(table, index).itemBytes;
  if (bytes > FEW_BYTES_MAX * path.ranges.length) return null;
  const least = path.ranges.length * leastUnits(consistent);
  return estimate.units > least ? null : { low: estimate.units, high: SEVERAL_ITEMS_FACTOR * least };
}

const RULES: readonly Rule[] = [wholeScan, keysOfStatement, partitionsOfOne, fewItems];

function likelyOf(asked: Asked): UnitBounds {
  const { estimate, leavable } = asked.read;
  // How much is left of a read that begins in the middle, no size tells.
  if (leavable !== undefined && leavable.after !== null) return estimate;
  for (const rule of RULES) {
    const found = rule(asked);
    if (found === null) continue;
    const { low, high } = inHalves(found);
    return { low: Math.max(low, estimate.low), high: Math.max(low, Math.min(high, estimate.high)) };
  }
  return estimate;
}

/** Within what is certain (`certainReadUnits`); the same where nothing more is known. */
export function likelyReadUnits({
  reads,
  filteredScans,
  tries,
}: Pick<PhysicalPlan, 'reads' | 'filteredScans' | 'tries'>): UnitBounds {
  return sumOfBounds(
    reads.map((read, i) =>
      tries.has(i) ? read.estimate : likelyOf({ read, isFiltered: filteredScans.has(i) }),
    ),
  );
}
