/** Column batches into DuckDB tables, a chunk of rows at a time. */
import { DuckDBDataChunk, type DuckDBAppender } from '@duckdb/node-api';
import { TypeCode, typeBit, type ColumnBatch, type ColumnVector } from '../../dynamodb/column-batch.ts';
import type { Sliced } from '../../scheduling/sliced-work.ts';
import { NULL_TYPE, type SqlType } from '../../duckdb-sql/types/sql-type.ts';
import { storageOf, type ColumnStorage } from './column-storage.ts';
import { CHUNK_ROWS } from '../limits.ts';

export interface BatchAppender {
  /** Appends all rows of a batch; each column's values must fit its type. */
  append(appender: DuckDBAppender, batch: ColumnBatch): Sliced<void>;
}

const missing = (rows: number): ColumnVector => ({
  types: new Uint8Array(rows),
  bytes: Buffer.alloc(0),
  offsets: new Uint32Array(rows + 1),
  typesSeen: typeBit(TypeCode.MISSING),
});

class ChunkedAppender implements BatchAppender {
  private readonly storage: readonly ColumnStorage[];
  private readonly chunk: DuckDBDataChunk;

  constructor(types: readonly SqlType[]) {
    this.storage = (types.length === 0 ? [NULL_TYPE] : types).map(storageOf);
    this.chunk = DuckDBDataChunk.create(this.storage.map(({ type }) => type));
  }

  *append(appender: DuckDBAppender, { rowCount, columns }: ColumnBatch): Sliced<void> {
    const { storage, chunk } = this;
    for (let from = 0; from < rowCount; from += CHUNK_ROWS) {
      const rows = Math.min(CHUNK_ROWS, rowCount - from);
      chunk.reset();
      chunk.rowCount = rows;
      for (const [i, column] of storage.entries()) {
        column.put(chunk, i, columns[i] ?? missing(rowCount), from, rows);
        yield;
      }
      appender.appendDataChunk(chunk);
      // By itself the appender would keep all rows for one flush at its end, which takes as long as they are many.
      appender.flushSync();
      yield;
    }
  }
}

/** For tables of these types. A read of no columns is a table of one, all NULL. */
export const createBatchAppender = (types: readonly SqlType[]): BatchAppender => new ChunkedAppender(types);
