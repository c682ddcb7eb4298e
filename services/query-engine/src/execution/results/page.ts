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

interface PageBounds {
  readonly firstRowIdx: number;
  readonly maxRows: number;
}

const encoder = new TextEncoder();

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
export const createPage = (bounds: PageBounds, bytesMax: number = RESPONSE_BYTES_MAX): Page =>
  new BoundedPage(bounds, bytesMax);

class BoundedPage implements Page {
  rowCount = 0;
  private rows: string[] = [];
  private batchBytes = 0;
  private bytes = 0;
  private cut = false;
  private readonly bounds: PageBounds;
  private readonly bytesMax: number;

  constructor(bounds: PageBounds, bytesMax: number) {
    this.bounds = bounds;
    this.bytesMax = bytesMax;
  }

  add(row: string): boolean {
    const size = Buffer.byteLength(row) + 1;
    const hasPlace = this.rowCount < this.bounds.maxRows;
    // A row that alone is too large still goes: else no page would ever get past it.
    if (this.cut || !hasPlace || (this.rowCount > 0 && this.bytes + size > this.bytesMax)) {
      this.cut ||= hasPlace;
      return false;
    }
    this.rows.push(row);
    this.rowCount++;
    this.bytes += size;
    this.batchBytes += size;
    return true;
  }

  take(rest: boolean): RowBatch | null {
    if (this.rows.length === 0 || (!rest && this.batchBytes < BATCH_BYTES)) return null;
    const batch = { json: encoder.encode(this.rows.join(',')), rowCount: this.rows.length };
    this.rows = [];
    this.batchBytes = 0;
    return batch;
  }

  resumeIdx(): number | null {
    const { firstRowIdx, maxRows } = this.bounds;
    return this.cut || this.rowCount === maxRows ? firstRowIdx + this.rowCount : null;
  }
}
