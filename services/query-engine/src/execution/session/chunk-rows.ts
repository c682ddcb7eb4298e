import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { JsonWriter } from '../results/json-values.ts';

/** The rows of a chunk, each cell as JSON text. */
export function* chunkRows(
  chunk: DuckDBDataChunk,
  writers: readonly JsonWriter[],
): Generator<readonly string[]> {
  const vectors = writers.map((_, i) => chunk.getColumnVector(i));
  for (let row = 0; row < chunk.rowCount; row++) {
    yield vectors.map((vector, i) => {
      const value = vector.getItem(row);
      return value === null ? 'null' : (writers[i]?.(value) ?? 'null');
    });
  }
}
