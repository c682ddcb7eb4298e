/**
 * A Parquet file as hyparquet reads it, which has nothing in common with DuckDB, whose writer made the file. It turns DECIMALs
 * into doubles, so its schema is taken without them, and their digits are made of the bytes here.
 */
import { DuckDBBlobValue, type DuckDBValue } from '@duckdb/node-api';
import { parquetMetadata, parquetRead, type SchemaElement } from 'hyparquet';
import type { ParquetRows } from './parquet-rows.ts';

const INTEGERS: Readonly<Record<string, string>> = {
  INT_8: 'TINYINT',
  INT_16: 'SMALLINT',
  INT_32: 'INTEGER',
  INT_64: 'BIGINT',
  INT32: 'INTEGER',
  INT64: 'BIGINT',
};

/** A column's type by DuckDB's name. */
function typeOf({ type, converted_type: converted, logical_type: logical, ...more }: SchemaElement): string {
  if (converted === 'DECIMAL') return `DECIMAL(${more.precision},${more.scale ?? 0})`;
  if (converted === 'DATE' || converted?.startsWith('TIMESTAMP') === true)
    return converted === 'DATE' ? 'DATE' : 'TIMESTAMP';
  if (logical?.type === 'TIMESTAMP') return 'TIMESTAMP';
  if (type === 'BYTE_ARRAY') return converted === 'UTF8' ? 'VARCHAR' : 'BLOB';
  return INTEGERS[converted ?? ''] ?? INTEGERS[type ?? ''] ?? type ?? '';
}

/** Two's complement, the first byte the highest. */
const integerOf = (bytes: Uint8Array): bigint =>
  BigInt.asIntN(8 * bytes.length, BigInt(`0x0${Buffer.from(bytes).toString('hex')}`));

function decimalText(value: unknown, scale: number): string {
  const whole = value instanceof Uint8Array ? integerOf(value) : BigInt(value as number | bigint);
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return whole < 0n ? `-${text}` : text;
}

function valueOf(value: unknown, type: string, { scale = 0 }: SchemaElement): DuckDBValue {
  if (value === null || value === undefined) return null;
  if (type.startsWith('DECIMAL')) return decimalText(value, scale);
  return value instanceof Uint8Array ? new DuckDBBlobValue(value) : (value as DuckDBValue);
}

/** Microseconds since 1970 as a text, with the fraction's digits that are not idle. */
function timestampText(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = new Date(Number((micros - fraction) / 1000n)).toISOString().slice(0, 19);
  const digits = String(fraction).padStart(6, '0').replace(/0+$/, '');
  return digits === '' ? seconds : `${seconds}.${digits}`;
}

/** All types that it does not show with their digits as they are stored. */
const PARSERS = {
  dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
  timestampFromMicroseconds: (micros: bigint) => timestampText(micros),
};

export async function readIndependently(bytes: Uint8Array): Promise<ParquetRows> {
  const file = new Uint8Array(bytes).buffer;
  const metadata = parquetMetadata(file);
  const columns = metadata.schema.slice(1);
  const types = columns.map(typeOf);
  const withoutDecimals = metadata.schema.map((element) => {
    const { converted_type: converted, logical_type: _, ...others } = element;
    return converted === 'DECIMAL' ? others : element;
  });
  const found: unknown[][] = [];
  await parquetRead({
    file,
    metadata: { ...metadata, schema: withoutDecimals },
    utf8: false,
    parsers: PARSERS,
    onComplete: (rows) => void found.push(...(rows as unknown[][])),
  });
  return {
    names: columns.map(({ name }) => name),
    types,
    rows: found.map((row) => columns.map((column, i) => valueOf(row[i], types[i] ?? '', column))),
    groups: metadata.row_groups.length,
  };
}
