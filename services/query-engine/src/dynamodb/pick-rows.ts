import { TypeCode, type ColumnBatch } from './column-batch.ts';
import { ColumnSink, finishBatch, sizeAfter } from './decode/column-sink.ts';

/** The rows, of whatever batches, as one batch of their first `width` columns. */
export function pickRows(
  rows: readonly { readonly batch: ColumnBatch; readonly row: number }[],
  width: number,
): ColumnBatch {
  const size = sizeAfter(rows.length, 0);
  const sinks = Array.from({ length: width }, (_, i) => {
    const sink = new ColumnSink(size);
    for (const [to, { batch, row }] of rows.entries()) {
      const column = batch.columns[i];
      const type = (column?.types[row] ?? TypeCode.MISSING) as TypeCode;
      if (column === undefined || type === TypeCode.MISSING) continue;
      sink.setBytes(to, type, column.bytes, column.offsets[row] ?? 0, column.offsets[row + 1] ?? 0);
    }
    return sink;
  });
  return finishBatch(sinks, rows.length);
}
