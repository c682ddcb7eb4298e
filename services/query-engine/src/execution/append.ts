/** Column batches into a DuckDB table, a chunk of rows at a time. */
import { DuckDBDataChunk, type DuckDBAppender } from '@duckdb/node-api';
import type { ColumnBatch } from '../dynamodb/column-batch.ts';
import { NULL_TYPE, type SqlType } from '../physical/types/sql-type.ts';
import { storageOf } from './cell-values.ts';
import { CHUNK_ROWS } from './limits.ts';

/** Appends all rows; each column's values must fit its type. A read of no columns is a table of one, all NULL. */
export function appendBatch(appender: DuckDBAppender, batch: ColumnBatch, types: readonly SqlType[]): void {
  const storage = (types.length === 0 ? [NULL_TYPE] : types).map(storageOf);
  const storedTypes = storage.map(({ type }) => type);
  for (let start = 0; start < batch.rowCount; start += CHUNK_ROWS) {
    const rows = Math.min(CHUNK_ROWS, batch.rowCount - start);
    const chunk = DuckDBDataChunk.create(storedTypes, rows);
    storage.forEach(({ value }, i) => {
      const column = batch.columns[i];
      const target = chunk.getColumnVector(i);
      for (let row = 0; row < rows; row++) {
        const text = column?.values[start + row] ?? null;
        target.setItem(row, text === null ? null : value(text, column?.types[start + row] ?? 0));
      }
      target.flush();
    });
    appender.appendDataChunk(chunk);
  }
  appender.flushSync();
}
