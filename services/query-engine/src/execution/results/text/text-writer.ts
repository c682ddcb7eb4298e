/** A whole result as NDJSON or CSV: rows of pieces in batches of text, which go out as they are made. */
import type { RowWindow } from '../../../logical/limits-of.ts';
import type { RunSliced } from '../../../scheduling/sliced-work.ts';
import { BATCH_BYTES } from '../../limits.ts';
import type { RowBatch } from '../page.ts';
import { csvHead, type RowFormat } from '../row-format.ts';
import { createByteSink, putText, takeBytes } from './byte-sink.ts';
import { fieldWriter, type FieldWriter } from './field-writer.ts';
import { rowFrame, writeRows, type RowPiece } from './row-piece.ts';

/** For the row that fills a batch. */
const BATCH_SLACK_BYTES = 16 * 1024;

export type TextFormat = 'ndjson' | 'csv';

export interface TextWriter {
  /** What pieces write their cells with. */
  readonly field: FieldWriter;
  /** Writes the rows of a piece that are wanted; yields the batches that get full on the way. */
  add(piece: RowPiece): AsyncGenerator<RowBatch>;
  /** What is left; null where nothing is. */
  rest(): RowBatch | null;
  /** Rows so far. */
  readonly rowCount: number;
  /** True when all rows that are wanted are there. */
  readonly isOver: boolean;
}

/** `rows`: which of those that come. The first batch begins with the format's own head. */
export function createTextWriter(
  format: TextFormat,
  rowFormat: RowFormat,
  names: readonly string[],
  { offset, count }: RowWindow,
  runSliced: RunSliced,
): TextWriter {
  const sink = createByteSink(BATCH_BYTES + BATCH_SLACK_BYTES);
  const frame = rowFrame(format, rowFormat, names);
  const wanted = { skip: offset, left: count };
  let rowCount = 0;
  let inBatch = 0;
  if (format === 'csv') putText(sink, csvHead(names));

  const take = (): RowBatch => {
    const batch = { json: takeBytes(sink), rowCount: inBatch };
    inBatch = 0;
    return batch;
  };
  return {
    field: fieldWriter(format),
    async *add(piece) {
      for (let row = 0; row < piece.rowCount && wanted.left > 0;) {
        const { next, written } = await runSliced(writeRows(sink, piece, row, frame, wanted, BATCH_BYTES));
        row = next;
        rowCount += written;
        inBatch += written;
        if (sink.length >= BATCH_BYTES) yield take();
      }
    },
    rest: () => (sink.length === 0 ? null : take()),
    get rowCount() {
      return rowCount;
    },
    get isOver() {
      return wanted.left === 0;
    },
  };
}
