/** A whole result as NDJSON or CSV: rows of pieces in batches of text, which go out as they are made. */
import type { RowWindow } from '../../../logical/limits-of.ts';
import type { RunSliced } from '../../../scheduling/sliced-work.ts';
import { BATCH_BYTES } from '../../limits.ts';
import type { RowBatch } from '../page.ts';
import { csvHead, type RowFormat } from '../row-format.ts';
import { createByteSink, putText, takeBytes, type ByteSink } from './byte-sink.ts';
import { fieldWriter, type FieldWriter } from './field-writer.ts';
import { lateColumns, type LateColumn, type LateColumns } from './late-columns.ts';
import { rowFrame, writeRows, type RowFrame, type RowPiece } from './row-piece.ts';

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
  /** Columns that came on the way. */
  readonly late: readonly LateColumn[];
  /** Rows so far. */
  readonly rowCount: number;
  /** True when all rows that are wanted are there. */
  readonly isOver: boolean;
}

class BatchedText implements TextWriter {
  readonly field: FieldWriter;
  rowCount = 0;
  private readonly sink: ByteSink;
  private readonly frame: RowFrame;
  private readonly wanted: { skip: number; left: number };
  private readonly runSliced: RunSliced;
  private readonly lateColumns: LateColumns | null;
  private inBatch = 0;

  constructor(
    format: TextFormat,
    rowFormat: RowFormat,
    names: readonly string[],
    { offset, count }: RowWindow,
    runSliced: RunSliced,
    hasDocuments: boolean,
  ) {
    this.field = fieldWriter(format);
    this.sink = createByteSink(BATCH_BYTES + BATCH_SLACK_BYTES);
    this.frame = rowFrame(format, rowFormat, names);
    this.wanted = { skip: offset, left: count };
    this.runSliced = runSliced;
    this.lateColumns = hasDocuments ? lateColumns(rowFormat, names) : null;
    if (format === 'csv') putText(this.sink, csvHead(names));
  }

  get late(): readonly LateColumn[] {
    return this.lateColumns?.columns ?? [];
  }

  get isOver(): boolean {
    return this.wanted.left === 0;
  }

  async *add(piece: RowPiece): AsyncGenerator<RowBatch> {
    const { sink, frame, wanted } = this;
    for (let row = 0; row < piece.rowCount && wanted.left > 0;) {
      const { next, written } = await this.runSliced(
        writeRows(sink, piece, row, frame, wanted, BATCH_BYTES, this.lateColumns),
      );
      row = next;
      this.rowCount += written;
      this.inBatch += written;
      if (sink.length >= BATCH_BYTES) yield this.take();
    }
  }

  rest(): RowBatch | null {
    return this.sink.length === 0 ? null : this.take();
  }

  private take(): RowBatch {
    const batch = { json: takeBytes(this.sink), rowCount: this.inBatch };
    this.inBatch = 0;
    return batch;
  }
}

/**
 * `rows`: which of those that come. The first batch begins with the format's own head. `hasDocuments`: cells behind those that
 * have names are documents of what no column is for, of which late columns are made.
 */
export const createTextWriter = (
  format: TextFormat,
  rowFormat: RowFormat,
  names: readonly string[],
  rows: RowWindow,
  runSliced: RunSliced,
  hasDocuments = false,
): TextWriter => new BatchedText(format, rowFormat, names, rows, runSliced, hasDocuments);
