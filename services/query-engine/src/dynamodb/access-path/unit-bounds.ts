/**
 * Between which read units a read will come out. Guesses choose paths; these are what may be promised of the one chosen.
 *
 * What is certain is what DynamoDB charges at least: half a unit for a key, found or not, and for a Query. Items of a table
 * are in one partition each, so that Queries of different ranges cost no more together than a scan, and half a unit each
 * for rounding up. The rest follows from DescribeTable's sizes, which are up to six hours old.
 */
import { SEGMENT_COUNT } from '@penstock/common/dynamodb/scan-segments.ts';
import type { CatalogTable, SecondaryIndex } from '../../catalog/table.ts';
import type { AccessPath, KeyRange, RangeTop, ReadEstimate } from '../table-read.ts';
import type { Candidate } from './candidate.ts';
import { isCounted, sizeOf, unitsOfKeys, unitsOfRange, type Size } from './estimate.ts';
import { itemBytesMax } from './limits.ts';
import { itemsOfTop } from './top-of-ranges.ts';

export type UnitBounds = Pick<ReadEstimate, 'low' | 'high'>;

/** The part by which a table is taken to have grown or shrunk since it was counted. */
export const STALENESS = 0.1;
/** Items that a read picks out are taken to be so many times as large as all are on average, at most. */
const ITEM_BYTES_MARGIN = 4;

const NOTHING: UnitBounds = Object.freeze({ low: 0, high: 0 });

export interface HowFar {
  readonly consistent: boolean;
  /** Rows after which reading may end; null: it goes on to the end. */
  readonly rows: number | null;
  /** True: it does end there, as each item that comes back is a row. */
  readonly certainly: boolean;
  readonly firstPageItems: number | null;
}

/** Bounds of the read units of a path; `units`, the guess, lies within them. */
export function unitBounds(
  { path, index, units, sideBySide }: Candidate,
  table: CatalogTable,
  { consistent, rows, certainly, firstPageItems }: HowFar,
): UnitBounds {
  const costs = costsOf(table, index, consistent);
  const whole = toTheEnd(path, costs);
  const low = rows === null ? whole.low : Math.min(whole.low, costs.least);
  const enough =
    rows === null || !certainly ? Infinity : untilRows(path, rows, { firstPageItems, sideBySide }, costs);
  return {
    low: Math.floor(Math.min(low, units) * 2) / 2,
    high: Math.ceil(Math.max(Math.min(whole.high, enough), units) * 2) / 2,
  };
}

/** What reading the table, or the index, costs in pieces. */
interface Costs {
  /** A request that finds little or nothing. */
  readonly least: number;
  /** Items of the path in one go, so many and as large as they may be. */
  readonly items: (count: number) => number;
  /** Items of the table by key. */
  readonly keys: (count: number) => number;
  /** All that the path is of. */
  readonly all: UnitBounds;
  /** How many items that is. */
  readonly count: number;
}

function costsOf(table: CatalogTable, index: SecondaryIndex | null, consistent: boolean): Costs {
  const least = unitsOfRange(0, { items: 0, itemBytes: 0 }, consistent);
  const ownSize = sizeOf(table, index);
  const tableSize = sizeOf(table, null);
  const counted = whole(ownSize, least, consistent);
  // A query is refused by what it costs at least: a guess of the size does not count there.
  const all = isSizeKnown(table, index) ? counted : { ...counted, low: least };
  const wholeTable = whole(tableSize, least, consistent).high;
  return {
    least,
    items: (count) => unitsOfRange(count, large(ownSize), consistent),
    keys: (count) => Math.min(unitsOfKeys(count, large(tableSize), consistent), count * least + wholeTable),
    all,
    count: Math.ceil(ownSize.items * (1 + STALENESS)),
  };
}

function isSizeKnown(table: CatalogTable, index: SecondaryIndex | null): boolean {
  return isCounted(table) && (index === null || (index.itemCount > 0 && index.sizeBytes > 0));
}

function large({ items, itemBytes }: Size): Size {
  return { items, itemBytes: Math.min(itemBytesMax, itemBytes * ITEM_BYTES_MARGIN) };
}

function whole(size: Size, least: number, consistent: boolean): UnitBounds {
  const units = unitsOfRange(size.items, size, consistent);
  return { low: Math.max(least, units - units * STALENESS), high: units + units * STALENESS };
}

function toTheEnd(path: AccessPath, costs: Costs): UnitBounds {
  switch (path.kind) {
    case 'Nothing':
      return NOTHING;
    case 'GetItem':
      return { low: costs.least, high: costs.keys(1) };
    case 'BatchGetItem':
      return { low: path.keys.length * costs.least, high: costs.keys(path.keys.length) };
    case 'Query':
      return upToTop(path, ofRanges(path.ranges, path.index === null, costs), costs);
    case 'IndexLookup': {
      const entries = ofRanges(path.ranges, false, costs);
      return { low: entries.low, high: entries.high + costs.keys(costs.count) };
    }
    case 'IndexUnion':
      return sumOfBounds(path.arms.map(({ estimate }) => estimate));
    case 'Segments': {
      const least = path.numbers.length * costs.least;
      const isAll = path.numbers.length === SEGMENT_COUNT;
      return { low: isAll ? Math.max(least, costs.all.low) : least, high: costs.all.high + least };
    }
    case 'Scan':
      // Each segment's last page rounds up for itself.
      return { low: costs.all.low, high: costs.all.high + (path.segments - 1) * costs.least };
  }
}

/** `ofTable`: no two items have one key, while those of an index may. */
function ofRanges(ranges: readonly KeyRange[], ofTable: boolean, costs: Costs): UnitBounds {
  const single = ofTable ? ranges.filter(({ sort }) => sort?.last.operator === '=').length : 0;
  const open = ranges.length - single;
  return {
    low: ranges.length * costs.least,
    high: single * costs.items(1) + (open === 0 ? 0 : costs.all.high + (open - 1) * costs.least),
  };
}

/** Items that are equal to the last one may be all that there are: they come in requests that round up, each for itself. */
function upToTop(
  { ranges, topOfEach }: Extract<AccessPath, { kind: 'Query' }>,
  whole: UnitBounds,
  costs: Costs,
): UnitBounds {
  if (topOfEach === undefined) return whole;
  if (topOfEach.ties.length === 0)
    return { low: whole.low, high: Math.min(whole.high, ranges.length * costs.items(topOfEach.rows)) };
  const besides = ranges.length * requestsOfTies(topOfEach, costs.count / ranges.length);
  return { low: whole.low, high: whole.high + besides * costs.least };
}

/**
 * Requests of a range behind its first one, at most: one for so many items as cost no more than one, others for as many as have
 * come, and one that finds that nothing is left. Ranges of several sizes have no more than as many of the same size.
 */
function requestsOfTies(top: RangeTop, items: number): number {
  return 2 + Math.log2(1 + items / (itemsOfTop(top) + top.tiedItemsMin));
}

function untilRows(
  path: AccessPath,
  rows: number,
  { firstPageItems, sideBySide }: Pick<HowFar, 'firstPageItems'> & Pick<Candidate, 'sideBySide'>,
  costs: Costs,
): number {
  switch (path.kind) {
    case 'Scan':
      return costs.items(rows);
    case 'Segments':
      return costs.items(rows) + path.numbers.length * costs.least;
    case 'Query':
      // Partitions that are merged give a page each, and another while they have what comes next.
      if (path.merged) return sideBySide * costs.items(2 * Math.max(rows, firstPageItems ?? 0));
      return costs.items(rows) + (path.ranges.length - 1) * costs.least;
    case 'IndexLookup':
      // Entries whose items have gone are made up for by as many again.
      return costs.items(2 * rows) + (path.ranges.length - 1) * costs.least + costs.keys(2 * rows);
    default:
      return Infinity;
  }
}

/** Of reads that are all made. */
export function sumOfBounds(bounds: readonly UnitBounds[]): UnitBounds {
  return bounds.reduce((sum, { low, high }) => ({ low: sum.low + low, high: sum.high + high }), NOTHING);
}

/** E.g. `6–592`; one number where both are the same. */
export function showBounds({ low, high }: UnitBounds): string {
  return low === high ? String(low) : `${low}–${high}`;
}
