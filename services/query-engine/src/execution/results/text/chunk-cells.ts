/** Values of DuckDB's chunks as fields, from the memory that they lie in; rare types by way of their JSON text. */
import duckdb from '@duckdb/node-bindings';
import { DuckDBDecimalType, DuckDBTypeId, type DuckDBDataChunk } from '@duckdb/node-api';
import { printScaled } from '../../../logical/exact-number.ts';
import { isNumber, isReal, type SqlType } from '../../../duckdb-sql/types/sql-type.ts';
import { INLINED_STRING_BYTES, STRING_BYTES, rawVector } from '../../loading/raw-vector.ts';
import { jsonWriter, type OnUnwritable } from '../json-values.ts';
import type { FieldWriter } from './field-writer.ts';
import { putText, type ByteSink } from './byte-sink.ts';
import type { CellWriter, RowPiece } from './row-piece.ts';

/** Writes a value that is not NULL. */
type ValueWriter = (sink: ByteSink, row: number) => void;

const WORD = 2 ** 32;

/** Bytes of a decimal of so many digits. */
function decimalBytes(width: number): 2 | 4 | 8 | 16 {
  if (width <= 4) return 2;
  if (width <= 9) return 4;
  return width <= 18 ? 8 : 16;
}

const WHOLE_BYTES: ReadonlyMap<DuckDBTypeId, 1 | 2 | 4 | 8 | 16> = new Map([
  [DuckDBTypeId.TINYINT, 1],
  [DuckDBTypeId.SMALLINT, 2],
  [DuckDBTypeId.INTEGER, 4],
  [DuckDBTypeId.BIGINT, 8],
  [DuckDBTypeId.HUGEINT, 16],
]);

/** A whole number of the vector's memory: as a number where one holds it exactly. */
function wholeAt(view: DataView, row: number, bytes: 1 | 2 | 4 | 8 | 16): number | bigint {
  const at = row * bytes;
  if (bytes === 1) return view.getInt8(at);
  if (bytes === 2) return view.getInt16(at, true);
  if (bytes === 4) return view.getInt32(at, true);
  const low = view.getUint32(at, true);
  const high = view.getInt32(at + 4, true);
  const short = high * WORD + low;
  if (bytes === 8) return Number.isSafeInteger(short) ? short : view.getBigInt64(at, true);
  const top = view.getBigInt64(at + 8, true);
  if (top === (short < 0 ? -1n : 0n) && Number.isSafeInteger(short)) return short;
  return (top << 64n) | view.getBigUint64(at, true);
}

/** Digits of a whole number with `scale` of them after the point, without idle zeros. */
function scaledText(value: number | bigint, scale: number): string {
  return scale === 0 ? String(value) : printScaled(BigInt(value), scale);
}

function dataOf(chunk: DuckDBDataChunk, i: number, valueBytes: number): DataView {
  const bytes = duckdb.vector_get_data(rawVector(chunk, i), chunk.rowCount * valueBytes);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const numbers =
  (view: DataView, bytes: 1 | 2 | 4 | 8 | 16, scale: number): ValueWriter =>
  (sink, row) =>
    putText(sink, scaledText(wholeAt(view, row, bytes), scale));

function doubles(view: DataView, field: FieldWriter, onUnwritable: OnUnwritable): ValueWriter {
  return (sink, row) => {
    const value = view.getFloat64(row * 8, true);
    if (Number.isFinite(value)) return putText(sink, String(value));
    onUnwritable();
    field.nothing(sink);
  };
}

/** Of a text that is not in its `duckdb_string_t` itself, the address is. */
function texts(chunk: DuckDBDataChunk, i: number, field: FieldWriter): ValueWriter {
  const view = dataOf(chunk, i, STRING_BYTES);
  const inlined = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  return (sink, row) => {
    const at = row * STRING_BYTES;
    const length = view.getUint32(at, true);
    if (length <= INLINED_STRING_BYTES) return field.text(sink, inlined, at + 4, at + 4 + length);
    const bytes = duckdb.get_data_from_pointer(view.buffer as ArrayBuffer, view.byteOffset + at + 8, length);
    field.text(sink, Buffer.from(bytes.buffer, bytes.byteOffset, length), 0, length);
  };
}

function byJson(
  chunk: DuckDBDataChunk,
  i: number,
  type: SqlType,
  field: FieldWriter,
  onUnwritable: OnUnwritable,
): ValueWriter {
  const vector = chunk.getColumnVector(i);
  const json = jsonWriter(type, onUnwritable);
  return (sink, row) => {
    const value = vector.getItem(row);
    field.cell(sink, value === null ? 'null' : json(value));
  };
}

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

/** A bit for each row that is not NULL; null where none is. */
function validityOf(chunk: DuckDBDataChunk, i: number): Uint8Array | null {
  const bytes: Uint8Array | null = duckdb.vector_get_validity(
    rawVector(chunk, i),
    Math.ceil(chunk.rowCount / 64) * 8,
  );
  return bytes === null || bytes.length === 0 ? null : bytes;
}

function booleans(view: DataView, field: FieldWriter): ValueWriter {
  return (sink, row) => {
    const word = view.getUint8(row) === 1 ? TRUE : FALSE;
    field.plain(sink, word, 0, word.length);
  };
}

/** By what DuckDB stores the values as: our type says how they are shown, and may be wider. */
function valuesOf(
  chunk: DuckDBDataChunk,
  i: number,
  type: SqlType,
  field: FieldWriter,
  onUnwritable: OnUnwritable,
): ValueWriter {
  const stored = chunk.getColumnVector(i).type;
  if (isNumber(type) && !isReal(type)) {
    const bytes = WHOLE_BYTES.get(stored.typeId);
    if (bytes !== undefined) return numbers(dataOf(chunk, i, bytes), bytes, 0);
    if (stored instanceof DuckDBDecimalType) {
      const wide = decimalBytes(stored.width);
      return numbers(dataOf(chunk, i, wide), wide, stored.scale);
    }
    if (stored.typeId === DuckDBTypeId.DOUBLE) return doubles(dataOf(chunk, i, 8), field, onUnwritable);
  }
  if (type.kind === 'boolean' && stored.typeId === DuckDBTypeId.BOOLEAN)
    return booleans(dataOf(chunk, i, 1), field);
  if (type.kind === 'text' && stored.typeId === DuckDBTypeId.VARCHAR) return texts(chunk, i, field);
  return byJson(chunk, i, type, field, onUnwritable);
}

/** The rows of a chunk. They must be written before the chunk is given up. */
export function chunkPiece(
  chunk: DuckDBDataChunk,
  types: readonly SqlType[],
  field: FieldWriter,
  onUnwritable: OnUnwritable,
): RowPiece {
  const { rowCount } = chunk;
  const cells = types.map((type, i): CellWriter => {
    const write = valuesOf(chunk, i, type, field, onUnwritable);
    const valid = validityOf(chunk, i);
    if (valid === null) return write;
    return (sink, row) => {
      if (((valid[row >> 3] as number) & (1 << (row & 7))) === 0) field.nothing(sink);
      else write(sink, row);
    };
  });
  return { rowCount, cells };
}
