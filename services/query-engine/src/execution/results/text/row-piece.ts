/** Rows as text, from wherever they are held: column batches of a read, or chunks of DuckDB's. */
import type { Sliced } from '../../../scheduling/sliced-work.ts';
import { SLICE_ROWS } from '../../limits.ts';
import { uniqueNames, type RowFormat } from '../row-format.ts';
import type { LateColumns } from './late-columns.ts';
import { putBytes, type ByteSink } from './byte-sink.ts';

/** Writes a column's value of a row as a field. */
export type CellWriter = (sink: ByteSink, row: number) => void;

/** Some rows of the result, in order. */
export interface RowPiece {
  readonly rowCount: number;
  /** False of rows that are not the result's; all are where absent. */
  readonly isShown?: (row: number) => boolean;
  /** By output column. */
  readonly cells: readonly CellWriter[];
}

/** What stands around a row's fields: one more than there are columns. */
export type RowFrame = readonly Buffer[];

const NOTHING = Buffer.alloc(0);

const bytesOf = (text: string): Buffer => Buffer.from(text);

export function rowFrame(format: 'ndjson' | 'csv', rowFormat: RowFormat, names: readonly string[]): RowFrame {
  if (format === 'csv') return names.map((_, i) => bytesOf(i === 0 ? '' : ',')).concat(bytesOf('\r\n'));
  if (rowFormat === 'array') return names.map((_, i) => bytesOf(i === 0 ? '[' : ',')).concat(bytesOf(']\n'));
  const keys = uniqueNames(names).map((name, i) => `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  return keys.map(bytesOf).concat(bytesOf('}\n'));
}

/** Which of the rows that come are wanted: counted on from piece to piece. */
export interface RowsWanted {
  /** Rows to leave out yet. */
  skip: number;
  /** Rows that may come yet. */
  left: number;
}

/**
 * Writes rows from `from` on until the piece ends, no more are wanted, or the sink has `bytesMax`; answers where to go on,
 * and how many rows it wrote. `late`: cells behind those of the frame are documents of what no column is for.
 */
export function* writeRows(
  sink: ByteSink,
  { rowCount, isShown, cells }: RowPiece,
  from: number,
  frame: RowFrame,
  wanted: RowsWanted,
  bytesMax: number,
  late: LateColumns | null = null,
): Sliced<{ readonly next: number; readonly written: number }> {
  const width = frame.length - 1;
  const last = frame[width] ?? NOTHING;
  const documents = late === null ? [] : cells.slice(width);
  let written = 0;
  let row = from;
  for (; row < rowCount && wanted.left > 0 && sink.length < bytesMax; row++) {
    if (row % SLICE_ROWS === SLICE_ROWS - 1) yield;
    if (isShown !== undefined && !isShown(row)) continue;
    if (wanted.skip > 0) {
      wanted.skip--;
      continue;
    }
    for (let i = 0; i < width; i++) {
      const before = frame[i] as Buffer;
      putBytes(sink, before, 0, before.length);
      (cells[i] as CellWriter)(sink, row);
    }
    if (late !== null) late.write(sink, documents, row);
    putBytes(sink, last, 0, last.length);
    wanted.left--;
    written++;
  }
  return { next: row, written };
}
