import type { ColumnBatch, ColumnVector } from '../column-batch.ts';
import { TypeCode } from '../column-batch.ts';
import { shortCopyBytes } from './bytes.ts';

/** What a sink has room for; pages of one read are alike, so a decoder passes on what the last one held. */
export interface SinkSize {
  readonly rows: number;
  readonly bytes: number;
}

/** Room of a fresh sink: an item's worth and some more, since many reads are of one item. */
const ROWS_AT_FIRST = 16;
const BYTES_AT_FIRST = 256;

/**
 * Room for the next page, which is about as large as one of so many rows and bytes. All sizes are made here: where one were
 * frozen and others are not, V8 would compile whoever makes sinks anew for each statement.
 */
export const sizeAfter = (rows: number, bytes: number): SinkSize => ({
  rows: Math.max(rows, ROWS_AT_FIRST),
  bytes: Math.max(bytes + (bytes >> 4), BYTES_AT_FIRST),
});

/** Collects one column's cells, row by row; rows that are passed over are missing. */
export class ColumnSink {
  private types: Uint8Array;
  private offsets: Uint32Array;
  private bytes: Buffer;
  private rows = 0;
  private length = 0;
  private typesSeen = 0;

  constructor({ rows, bytes }: SinkSize) {
    this.types = new Uint8Array(rows);
    this.offsets = new Uint32Array(rows + 1);
    this.bytes = Buffer.allocUnsafe(bytes);
  }

  /** A cell that is these bytes. Rows must not go backwards; a second value for the same row replaces the first. */
  setBytes(row: number, type: TypeCode, from: Buffer, start: number, end: number): void {
    const at = this.place(row, type, end - start);
    const { bytes } = this;
    if (end - start > shortCopyBytes) from.copy(bytes, at, start, end);
    else for (let i = start, to = at; i < end; i++, to++) bytes[to] = from[i] as number;
  }

  /** A cell of this text, null where it has none: as `setBytes`. */
  setText(row: number, type: TypeCode, text: string | null): void {
    const length = text === null ? 0 : Buffer.byteLength(text);
    const at = this.place(row, type, length);
    if (text !== null) this.bytes.write(text, at);
  }

  finish(rowCount: number): ColumnVector {
    if (rowCount > this.types.length) this.growRows(rowCount);
    this.passOver(rowCount);
    const types = this.types.subarray(0, rowCount);
    const missing = types.includes(TypeCode.MISSING);
    return {
      types,
      bytes: this.bytes.subarray(0, this.length),
      offsets: this.offsets.subarray(0, rowCount + 1),
      typesSeen: missing ? this.typesSeen | (1 << TypeCode.MISSING) : this.typesSeen,
    };
  }

  /** Makes a cell of so many bytes; answers where they go. */
  private place(row: number, type: TypeCode, length: number): number {
    if (row >= this.types.length) this.growRows(row + 1);
    if (row < this.rows) this.length = this.offsets[row] as number;
    else this.passOver(row);
    const at = this.length;
    const end = at + length;
    if (end > this.bytes.length) this.growBytes(end);
    this.types[row] = type;
    this.typesSeen |= 1 << type;
    this.offsets[row + 1] = end;
    this.length = end;
    this.rows = row + 1;
    return at;
  }

  private passOver(row: number): void {
    while (this.rows < row) this.offsets[++this.rows] = this.length;
  }

  private growRows(rows: number): void {
    const room = Math.max(rows, this.types.length * 2);
    const types = new Uint8Array(room);
    types.set(this.types);
    this.types = types;
    const offsets = new Uint32Array(room + 1);
    offsets.set(this.offsets);
    this.offsets = offsets;
  }

  private growBytes(bytes: number): void {
    const larger = Buffer.allocUnsafe(Math.max(bytes, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

/** The batch of what the sinks hold. */
export function finishBatch(sinks: readonly ColumnSink[], rowCount: number): ColumnBatch {
  return { rowCount, columns: sinks.map((sink) => sink.finish(rowCount)) };
}
