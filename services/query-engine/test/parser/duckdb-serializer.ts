import { DuckDBInstance } from '@duckdb/node-api';
import type { SerializeSql } from '../../src/parser/cross-check.ts';

/** A real DuckDB's `json_serialize_sql`, for the cross-check; `close` ends the instance. */
export async function openSerializer(): Promise<{
  readonly serialize: SerializeSql;
  readonly close: () => void;
}> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const serialize: SerializeSql = async (sql) => {
    const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
    return String(reader.getRows()[0]?.[0]);
  };
  return {
    serialize,
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
