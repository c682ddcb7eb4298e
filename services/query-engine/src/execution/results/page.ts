/** The page of rows that a response holds: bounded in rows and in bytes, handed on in batches. */
import type { Sliced } from '../../scheduling/sliced-work.ts';
import { BATCH_BYTES, RESPONSE_BYTES_MAX, SLICE_ROWS } from '../limits.ts';

export interface RowBatch {
  /** Rows as the result's format has them: UTF-8 text, or parts of a Parquet file. */
  readonly json: Uint8Array<ArrayBuffer>;
  readonly rowCount: number;
}

export interface Page {
  /** Takes a row. False when it no longer fits: it is not part of the page, and the page is over. */
  add(row: string): boolean;
  /** A batch that is full, or (with `rest`) whatever is there. */
  take(rest: boolean): RowBatch | null;
  readonly rowCount: number;
  /** Where the next page starts; null when this one is the last. */
  resumeIdx(): number | null;
}

/** Adds rows for as long as they fit: the batches that got full on the way, and whether the page is over. */
export function* addRows<Row>(
  page: Page,
  rows: Iterable<Row>,
  join: (row: Row) => string,
): Sliced<{ readonly batches: readonly RowBatch[]; readonly isOver: boolean }> {
  const batches: RowBatch[] = [];
  let left = SLICE_ROWS;
  for (const row of rows) {
    if (!page.add(join(row))) return { batches, isOver: true };
    const batch = page.take(false);
    if (batch !== null) batches.push(batch);
    if (--left > 0) continue;
    left = SLICE_ROWS;
    yield;
  }
  return { batches, isOver: false };
}

/** @param bytesMax of rows as text; a first row is never too large */
export function createPage(
  bounds: { readonly firstRowIdx: number; readonly maxRows: number },
  bytesMax: number = RESPONSE_BYTES_MAX,
): Page {
  let rows: string[] = [];
  let batchBytes = 0;
  let bytes = 0;
  let rowCount = 0;
  let cut = false;
  return {
    add(row) {
      const size = Buffer.byteLength(row) + 1;
      // A row that alone is too large still goes: else no page would ever get past it.
      if (cut || rowCount >= bounds.maxRows || (rowCount > 0 && bytes + size > bytesMax)) {
        cut ||= rowCount < bounds.maxRows;
        return false;
      }
      rows.push(row);
      rowCount++;
      bytes += size;
      batchBytes += size;
      return true;
    },
    take(rest) {
      if (rows.length === 0 || (!rest && batchBytes < BATCH_BYTES)) return null;
      const batch = { json: new TextEncoder().encode(rows.join(',')), rowCount: rows.length };
      rows = [];
      batchBytes = 0;
      return batch;
    },
    get rowCount() {
      return rowCount;
    },
    resumeIdx() {
      return cut || rowCount === bounds.maxRows ? bounds.firstRowIdx + rowCount : null;
    },
  };
}
