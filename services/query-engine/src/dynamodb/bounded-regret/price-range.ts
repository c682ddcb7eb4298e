/** What a read by keys costs at least and at most, by the number of its keys and the sizes of DescribeTable alone. */
import type { CatalogTable } from '../../catalog/table.ts';
import { isCounted, leastUnits, sizeOf, unitsOfRange } from '../access-path/estimate.ts';
import type { TableRead } from '../table-read.ts';

export interface PriceRange {
  /** Distinct keys, or ranges of partitions. */
  readonly keys: number;
  /** The least that one costs, also where nothing is found; and what each begins anew, where a scan rounds once a page. */
  readonly floor: number;
  /** What a scan of all that the keys lead to costs; Infinity where that is not known. */
  readonly scan: number;
}

/** Units of reading a table, or an index of it, to its end; Infinity where it was not counted. */
function unitsOfAll(table: CatalogTable, indexName: string | null, consistent: boolean): number {
  const index = table.indexes.find(({ name }) => name === indexName) ?? null;
  const size = sizeOf(table, index);
  return isCounted(table) ? unitsOfRange(size.items, size, consistent) : Infinity;
}

/**
 * Null where the read is not by keys alone. The ranges of a Query are disjoint, and so are items: all of them together
 * are no more than a scan reads, and each key adds the rounding of its last 4 KB. An index lookup reads items again.
 */
export function priceRangeOf({ path, table, consistent }: TableRead): PriceRange | null {
  const floor = leastUnits(consistent);
  switch (path.kind) {
    case 'GetItem':
      return { keys: 1, floor, scan: unitsOfAll(table, null, consistent) };
    case 'BatchGetItem':
      return { keys: path.keys.length, floor, scan: unitsOfAll(table, null, consistent) };
    case 'Query':
      return { keys: path.ranges.length, floor, scan: unitsOfAll(table, path.index, consistent) };
    case 'IndexLookup':
      return { keys: path.ranges.length, floor, scan: Infinity };
    case 'IndexUnion':
    case 'Nothing':
    case 'Scan':
    case 'Segments':
      return null;
  }
}

/** Units of so many keys at most. */
export function mostUnits({ floor, scan }: PriceRange, keys: number): number {
  return scan + keys * floor;
}
