/** Tells when the first items of a range have come (`RangeTop`). */
import { textOf, TypeCode, type ColumnBatch, type ColumnVector } from '../column-batch.ts';
import { decimalText, parseDecimal } from '../decimal.ts';
import type { TableRead } from '../table-read.ts';

export interface RangeEnd {
  /** Items to ask for next. */
  nextItems(): number;
  /** Told each batch of the range, in order. */
  read(batch: ColumnBatch): void;
  isReached(): boolean;
  /** Whether as many items have come as are wanted, all those aside that may be equal to the last. */
  isFull(): boolean;
}

/** The cell as a text that is the same for equal values: numbers may be written in more than one way. */
function valueText(column: ColumnVector, row: number): string {
  const text = textOf(column, row) ?? '';
  const number = column.types[row] === TypeCode.N ? parseDecimal(text) : null;
  return number === null ? text : decimalText(number);
}

/** Null where ranges of the read end with their last items. */
export function topOfRange({ path, columns }: TableRead): RangeEnd | null {
  if (path.kind !== 'Query' || path.topOfEach === undefined) return null;
  const { rows, ties, tiedItemsMin } = path.topOfEach;
  const positions = ties.map((name) => {
    const position = columns.findIndex((column) => column.path.length === 1 && column.path[0] === name);
    if (position < 0) throw new Error(`${name} is not among the columns that are read`);
    return position;
  });
  const tiesAt = ({ columns: cells }: ColumnBatch, row: number): string =>
    JSON.stringify(positions.map((position) => valueText(cells[position] as ColumnVector, row)));
  let items = 0;
  /** The values by which ties are told, of the last item that is wanted in any case. */
  let last: string | null = null;
  let isPast = false;
  return {
    nextItems() {
      if (ties.length === 0) return rows - items;
      // Where all are equal so far, they may be many.
      return items <= rows ? rows + 1 - items : Math.max(items, tiedItemsMin);
    },
    read(batch) {
      if (batch.rowCount === 0) return;
      const at = rows - 1 - items;
      items += batch.rowCount;
      if (ties.length === 0) return;
      if (at >= 0 && at < batch.rowCount) last = tiesAt(batch, at);
      if (last !== null && items > rows) isPast = tiesAt(batch, batch.rowCount - 1) !== last;
    },
    isFull: () => items >= rows,
    isReached: () => (ties.length === 0 ? items >= rows : isPast),
  };
}
