/** DuckDB values as JSON text: all digits of a number, never through a double. */
import { DuckDBBlobValue, DuckDBDecimalValue, DuckDBStructValue, type DuckDBValue } from '@duckdb/node-api';
import { MixedKind } from '../../duckdb-sql/macros.ts';
import { printScaled } from '../../logical/exact-number.ts';
import { isReal, type SqlType } from '../../duckdb-sql/types/sql-type.ts';

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

/** Digits that tell any REAL from every other. */
const REAL_DIGITS_MAX = 9;

/** By as few digits as make the same REAL. */
function writeReal(value: DuckDBValue, onUnwritable: OnUnwritable): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return writeNumber(value, onUnwritable);
  for (let digits = 1; digits < REAL_DIGITS_MAX; digits++) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === value) return JSON.stringify(shorter);
  }
  return JSON.stringify(Number(value.toPrecision(REAL_DIGITS_MAX)));
}

/** What DuckDB's reader of JSON, and its text of a DOUBLE, have beyond JSON. */
const MAYBE_NO_JSON = /nan|inf|,\s*[\]}]/i;
/** Strings, which stay, and what stands outside of them. */
const STRING_OR_STRAY = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:nan|infinity|inf)|,(?=\s*[\]}])/gis;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON text: infinities and NaN in it as null, a comma too many left out; null where it is no JSON even then. */
function writeDocument(text: string, onUnwritable: OnUnwritable): string {
  if (!MAYBE_NO_JSON.test(text) || isJson(text)) return text;
  onUnwritable();
  const mended = text.replace(STRING_OR_STRAY, (part) =>
    part.startsWith('"') ? part : part === ',' ? '' : 'null',
  );
  return isJson(mended) ? mended : 'null';
}

function writeMixed(value: DuckDBValue, onUnwritable: OnUnwritable): string {
  if (!(value instanceof DuckDBStructValue)) throw new Error('a mixed value is a struct');
  const { k, t } = value.entries;
  const text = String(t);
  if (k === MixedKind.BOOLEAN) return text;
  return k === MixedKind.NUMBER || k === MixedKind.JSON
    ? writeDocument(text, onUnwritable)
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
      return (value) => writeNumber(value, onUnwritable);
    case 'double': {
      const write = isReal(type) ? writeReal : writeNumber;
      return (value) => write(value, onUnwritable);
    }
    case 'boolean':
      return (value) => (value === true ? 'true' : 'false');
    case 'json':
      return (value) => writeDocument(String(value), onUnwritable);
    case 'mixed':
      return (value) => writeMixed(value, onUnwritable);
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
