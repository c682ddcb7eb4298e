import type { ColumnBatch, ColumnVector } from '../column-batch.ts';
import { TypeCode } from '../column-batch.ts';

/** Rows that a fresh sink has room for; pages of one read are alike, so a decoder passes on what the last one held. */
export const rowsExpectedAtFirst = 256;

/** Collects one column's cells, row by row; rows that are passed over are missing. */
export class ColumnSink {
  private types: Uint8Array;
  private readonly values: (string | null)[] = [];
  private typesSeen = 0;

  constructor(rowsExpected: number) {
    this.types = new Uint8Array(rowsExpected);
  }

  /** Rows must not go backwards; a second value for the same row replaces the first. */
  set(row: number, type: TypeCode, value: string | null): void {
    const { values } = this;
    if (row >= this.types.length) this.grow(row);
    while (values.length < row) values.push(null);
    values[row] = value;
    this.types[row] = type;
    this.typesSeen |= 1 << type;
  }

  finish(rowCount: number): ColumnVector {
    if (rowCount > this.types.length) this.grow(rowCount);
    while (this.values.length < rowCount) this.values.push(null);
    const types = this.types.subarray(0, rowCount);
    const missing = types.includes(TypeCode.MISSING);
    return {
      types,
      values: this.values,
      typesSeen: missing ? this.typesSeen | (1 << TypeCode.MISSING) : this.typesSeen,
    };
  }

  private grow(row: number): void {
    const larger = new Uint8Array(Math.max(row + 1, this.types.length * 2));
    larger.set(this.types);
    this.types = larger;
  }
}

/** The batch of what the sinks hold. */
export function finishBatch(sinks: readonly ColumnSink[], rowCount: number): ColumnBatch {
  return { rowCount, columns: sinks.map((sink) => sink.finish(rowCount)) };
}
