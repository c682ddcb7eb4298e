/** Column batches from plain items, as the decoder would make them. */
import { TypeCode, type ColumnBatch, type ColumnVector } from '../../src/dynamodb/column-batch.ts';
import { ColumnSink, sizeAfter } from '../../src/dynamodb/decode/column-sink.ts';

/** A cell: undefined is missing, null is NULL, a number is digits in `{ n }` (or a number), bytes are `{ b }` base64. */
export type TestCell =
  | undefined
  | null
  | string
  | number
  | bigint
  | boolean
  | { readonly n: string }
  | { readonly b: string }
  | { readonly json: string };

function cell(value: TestCell): [TypeCode, string | null] {
  if (value === undefined) return [TypeCode.MISSING, null];
  if (value === null) return [TypeCode.NULL, null];
  if (typeof value === 'string') return [TypeCode.S, value];
  if (typeof value === 'boolean') return [TypeCode.BOOL, String(value)];
  if (typeof value === 'number' || typeof value === 'bigint') return [TypeCode.N, String(value)];
  if ('n' in value) return [TypeCode.N, value.n];
  if ('b' in value) return [TypeCode.B, value.b];
  return [value.json.startsWith('[') ? TypeCode.L : TypeCode.M, value.json];
}

export function vector(values: readonly TestCell[]): ColumnVector {
  const sink = new ColumnSink(sizeAfter(0, 0));
  for (const [row, value] of values.entries()) sink.setText(row, ...cell(value));
  return sink.finish(values.length);
}

/** Rows of cells, each as wide as `width`. */
export function batchOf(rows: readonly (readonly TestCell[])[], width: number): ColumnBatch {
  return {
    rowCount: rows.length,
    columns: Array.from({ length: width }, (_, i) => vector(rows.map((row) => row[i]))),
  };
}
