/**
 * The order of the rows of one page that were read in an index's order and looked up after it (`reader/place-order.ts`):
 * an item that has moved backwards since it was indexed came where its entry was, and belongs before others by now.
 */
import { compareDecimals, parseDecimal, type Decimal } from '../../dynamodb/decimal.ts';
import { compareUtf8 } from '../../logical/text-order.ts';
import type { PageOrder } from '../../planning/physical-plan.ts';

/** As it is compared; null sorts below all else. */
type SortValue = Decimal | string | null;

/** Text of a row, and JSON cells of what the page is ordered by. */
export interface OrderedRow {
  readonly text: string;
  readonly keys: readonly string[];
}

/** The rows in order; equal ones as they came. */
export function sortedRows(rows: readonly OrderedRow[], order: PageOrder): readonly OrderedRow[] {
  const keyed = rows.map((row) => ({
    row,
    values: order.map(({ type }, i) => sortValue(row.keys[i] ?? 'null', type)),
  }));
  keyed.sort((a, b) => {
    for (const [i, { descending }] of order.entries()) {
      const sign = compareSortValues(a.values[i] ?? null, b.values[i] ?? null);
      if (sign !== 0) return descending ? -sign : sign;
    }
    return 0;
  });
  return keyed.map(({ row }) => row);
}

/** Binary keys come as base64; as hexadecimal digits they have the order of their bytes. */
function sortValue(cell: string, type: PageOrder[number]['type']): SortValue {
  if (cell === 'null') return null;
  if (type === 'N') return parseDecimal(cell);
  const value: unknown = JSON.parse(cell);
  if (typeof value !== 'string') return cell;
  return type === 'B' ? Buffer.from(value, 'base64').toString('hex') : value;
}

function compareSortValues(a: SortValue, b: SortValue): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  if (typeof a === 'string') return typeof b === 'string' ? compareUtf8(a, b) : 1;
  return typeof b === 'string' ? -1 : compareDecimals(a, b);
}
