/** How DuckDB stores the columns of a batch: the type of the vectors, and how cells are put into one. */
import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DECIMAL,
  DOUBLE,
  HUGEINT,
  VARCHAR,
  type DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import { TypeCode, textOf, type ColumnVector } from '../../dynamodb/column-batch.ts';
import type { SqlType } from '../../duckdb-sql/types/sql-type.ts';
import { MIXED, mixedValue } from './cell-values.ts';
import { longScaled, shortScaled } from './number-bytes.ts';
import { STRING_BYTES, layStrings, rawVector, setData, setValidity } from './raw-vector.ts';

export interface ColumnStorage {
  readonly type: DuckDBType;
  /** Fills column `i` of an empty chunk with its `rows` rows, the first of them `from` in the column. */
  put(chunk: DuckDBDataChunk, i: number, column: ColumnVector, from: number, rows: number): void;
}

/** Lays out one cell that is not NULL: as row `row` of the data. */
type LayCell = (data: DataView, row: number, column: ColumnVector, cell: number) => void;

const WORD = 2 ** 32;

const isNull = (type: number | undefined): boolean => type === TypeCode.MISSING || type === TypeCode.NULL;

/** A bit for each row that is not NULL; null where none is NULL. */
function validityOf({ types }: ColumnVector, from: number, rows: number): Uint8Array<ArrayBuffer> | null {
  let bits: Uint8Array<ArrayBuffer> | null = null;
  for (let row = 0; row < rows; row++) {
    if (!isNull(types[from + row])) continue;
    bits ??= new Uint8Array(Math.ceil(rows / 64) * 8).fill(0xff);
    bits[row >> 3] = (bits[row >> 3] as number) & ~(1 << (row & 7));
  }
  return bits;
}

/** Memory of so many bytes, kept from chunk to chunk. */
function memory(): (bytes: number) => ArrayBuffer {
  let kept = new ArrayBuffer(0);
  return (bytes) => {
    if (kept.byteLength < bytes) kept = new ArrayBuffer(bytes);
    return kept;
  };
}

/** Storage of values of `width` bytes. */
function fixed(type: DuckDBType, width: number, layCell: LayCell): ColumnStorage {
  const room = memory();
  return {
    type,
    put(chunk, i, column, from, rows) {
      const data = new DataView(room(rows * width));
      for (let row = 0; row < rows; row++)
        if (!isNull(column.types[from + row])) layCell(data, row * width, column, from + row);
      const vector = rawVector(chunk, i);
      setData(vector, data.buffer, rows * width);
      const validity = validityOf(column, from, rows);
      if (validity !== null) setValidity(vector, validity);
    },
  };
}

/** Storage of texts, or of blobs if `decoded` makes them. */
function strings(
  type: DuckDBType,
  decoded: ((column: ColumnVector, from: number, rows: number) => ColumnVector) | null = null,
): ColumnStorage {
  const room = memory();
  return {
    type,
    put(chunk, i, column, from, rows) {
      const vector = rawVector(chunk, i);
      const data = room(rows * STRING_BYTES);
      if (decoded === null) layStrings(vector, column, from, rows, data);
      else layStrings(vector, decoded(column, from, rows), 0, rows, data);
      setData(vector, data, rows * STRING_BYTES);
      const validity = validityOf(column, from, rows);
      if (validity !== null) setValidity(vector, validity);
    },
  };
}

/** Storage of values that the library lays out. */
function objects(type: DuckDBType, valueOf: (text: string, code: number) => DuckDBValue): ColumnStorage {
  return {
    type,
    put(chunk, i, column, from, rows) {
      const target = chunk.getColumnVector(i);
      for (let row = 0; row < rows; row++) {
        const text = textOf(column, from + row);
        target.setItem(row, text === null ? null : valueOf(text, column.types[from + row] ?? 0));
      }
      target.flush();
    },
  };
}

/** A number as a whole number of 64 or 128 bits, scaled by `scale` digits. */
function whole(bits: 64 | 128, scale: number): LayCell {
  return (data, at, { bytes, offsets }, cell) => {
    const [start, end] = [offsets[cell] as number, offsets[cell + 1] as number];
    const short = shortScaled(bytes, start, end, scale);
    if (Number.isNaN(short)) {
      const long = longScaled(bytes.toString('latin1', start, end), scale);
      data.setBigUint64(at, BigInt.asUintN(64, long), true);
      if (bits === 128) data.setBigInt64(at + 8, BigInt.asIntN(64, long >> 64n), true);
      return;
    }
    data.setUint32(at, short >>> 0, true);
    data.setInt32(at + 4, Math.floor(short / WORD), true);
    if (bits === 64) return;
    data.setInt32(at + 8, short < 0 ? -1 : 0, true);
    data.setInt32(at + 12, short < 0 ? -1 : 0, true);
  };
}

const layDouble: LayCell = (data, at, column, cell) =>
  data.setFloat64(at, Number(textOf(column, cell)), true);

const LETTER_T = 't'.charCodeAt(0);

const layBoolean: LayCell = (data, at, { bytes, offsets }, cell) =>
  data.setUint8(at, bytes[offsets[cell] as number] === LETTER_T ? 1 : 0);

/** The rows' base64 as bytes. */
function fromBase64(column: ColumnVector, from: number, rows: number): ColumnVector {
  const { types, offsets, typesSeen } = column;
  const ends = new Uint32Array(rows + 1);
  const bytes = Buffer.allocUnsafe((offsets[from + rows] as number) - (offsets[from] as number));
  for (let row = 0; row < rows; row++) {
    const at = ends[row] as number;
    ends[row + 1] = at + bytes.write(textOf(column, from + row) ?? '', at, 'base64');
  }
  return { types: types.subarray(from, from + rows), bytes, offsets: ends, typesSeen };
}

/** Digits that a 64-bit decimal holds. */
const SHORT_DECIMAL_DIGITS = 18;

/** Storage of a column whose cells fit the type. */
export function storageOf(type: SqlType): ColumnStorage {
  switch (type.kind) {
    case 'integer':
      return type.sql === 'HUGEINT' ? fixed(HUGEINT, 16, whole(128, 0)) : fixed(BIGINT, 8, whole(64, 0));
    case 'decimal': {
      const { width, scale } = type;
      const bits = width <= SHORT_DECIMAL_DIGITS ? 64 : 128;
      return fixed(DECIMAL(width, scale), bits / 8, whole(bits, scale));
    }
    case 'double':
      return fixed(DOUBLE, 8, layDouble);
    case 'boolean':
      return fixed(BOOLEAN, 1, layBoolean);
    case 'binary':
      return strings(BLOB, fromBase64);
    case 'mixed':
      return objects(MIXED, mixedValue);
    case 'null':
    case 'text':
    case 'json':
    case 'temporal':
    case 'row':
      return strings(VARCHAR);
  }
}
