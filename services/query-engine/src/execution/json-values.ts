/** DuckDB values as JSON text: all digits of a number, never through a double. */
import { DuckDBBlobValue, DuckDBDecimalValue, DuckDBStructValue, type DuckDBValue } from '@duckdb/node-api';
import { MixedKind } from '../physical/macros.ts';
import { printScaled } from '../physical/number-text.ts';
import type { SqlType } from '../physical/types/sql-type.ts';

/** Writes a value that is not NULL. */
export type JsonWriter = (value: DuckDBValue) => string;

/** Told when a value has no JSON form: an infinity, not a number. */
export type OnUnwritable = () => void;

function writeNumber(value: DuckDBValue, onUnwritable: OnUnwritable): string {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof DuckDBDecimalValue) return printScaled(value.value, value.scale);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  onUnwritable();
  return 'null';
}

function writeMixed(value: DuckDBValue): string {
  if (!(value instanceof DuckDBStructValue)) throw new Error('a mixed value is a struct');
  const { k, t } = value.entries;
  const text = String(t);
  return k === MixedKind.NUMBER || k === MixedKind.BOOLEAN || k === MixedKind.JSON
    ? text
    : JSON.stringify(text);
}

function writeBinary(value: DuckDBValue): string {
  if (!(value instanceof DuckDBBlobValue)) throw new Error('a binary value is a blob');
  return JSON.stringify(Buffer.from(value.bytes).toString('base64'));
}

/** ISO 8601: `2024-01-02T03:04:05`, with Z where the instant is known. */
function writeTemporal(value: DuckDBValue, sql: string): string {
  const text = String(value);
  if (sql === 'INTERVAL' || sql === 'DATE' || sql === 'TIME') return JSON.stringify(text);
  const iso = text.replace(' ', 'T').replace(/\+00(:00)?$/, 'Z');
  return JSON.stringify(iso);
}

export function jsonWriter(type: SqlType, onUnwritable: OnUnwritable): JsonWriter {
  switch (type.kind) {
    case 'integer':
    case 'decimal':
    case 'double':
      return (value) => writeNumber(value, onUnwritable);
    case 'boolean':
      return (value) => (value === true ? 'true' : 'false');
    case 'json':
      return String;
    case 'mixed':
      return writeMixed;
    case 'binary':
      return writeBinary;
    case 'temporal':
      return (value) => writeTemporal(value, type.sql);
    case 'null':
    case 'text':
    case 'row':
      return (value) => JSON.stringify(String(value));
  }
}
