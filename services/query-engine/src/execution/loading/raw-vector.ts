/**
 * DuckDB's vectors as memory: a column's values are laid out here and copied in one call, instead of one call or object a
 * value. Layouts are those of DuckDB's C API (`duckdb.h`): `duckdb_string_t`, and a bit for each valid row.
 */
import duckdb from '@duckdb/node-bindings';
import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { ColumnVector } from '../../dynamodb/column-batch.ts';

/** A vector of a chunk that is being filled. */
export type RawVector = duckdb.Vector;

/** A `duckdb_string_t`: the length, then the text, or its first four bytes and its address. Words of 32 bits. */
export const STRING_BYTES = 16;
const STRING_WORDS = 4;
/** Bytes of a text that a `duckdb_string_t` holds itself. */
export const INLINED_STRING_BYTES = 12;
const WORD = 2 ** 32;

/** Column `i` of a chunk. Gone with the chunk. */
export function rawVector(chunk: DuckDBDataChunk, i: number): RawVector {
  return duckdb.data_chunk_get_vector(chunk.chunk, i);
}

/** Fills the vector with the first so many bytes. */
export function setData(vector: RawVector, data: ArrayBuffer, bytes: number): void {
  duckdb.copy_data_to_vector(vector, 0, data, 0, bytes);
}

/** Marks rows as NULL: `bits` has a 1 for each row that is not, from the lowest bit of the first byte on. */
export function setValidity(vector: RawVector, bits: Uint8Array<ArrayBuffer>): void {
  duckdb.vector_ensure_validity_writable(vector);
  duckdb.copy_data_to_vector_validity(vector, 0, bits.buffer, bits.byteOffset, bits.byteLength);
}

/**
 * Lays out `rows` cells, the first of them `from`, as texts or blobs of the vector. All their bytes go to the vector as one
 * value, which keeps them; the cells are then parts of it.
 */
export function layStrings(
  vector: RawVector,
  { bytes, offsets }: Pick<ColumnVector, 'bytes' | 'offsets'>,
  from: number,
  rows: number,
  data: ArrayBuffer,
): void {
  const words = new Uint32Array(data);
  const first = offsets[from] as number;
  const address = hasLong(offsets, from, rows)
    ? addressOfKept(vector, bytes.subarray(first, offsets[from + rows]))
    : 0;
  for (let row = 0; row < rows; row++) {
    const start = offsets[from + row] as number;
    const length = (offsets[from + row + 1] as number) - start;
    const word = row * STRING_WORDS;
    words[word] = length;
    words[word + 1] = wordAt(bytes, start, length);
    if (length <= INLINED_STRING_BYTES) {
      // What is not used must be zero: DuckDB compares all of it.
      words[word + 2] = wordAt(bytes, start + 4, length - 4);
      words[word + 3] = wordAt(bytes, start + 8, length - 8);
    } else {
      const at = address + (start - first);
      words[word + 2] = at % WORD;
      words[word + 3] = Math.floor(at / WORD);
    }
  }
}

function hasLong(offsets: Uint32Array, from: number, rows: number): boolean {
  for (let row = from; row < from + rows; row++)
    if ((offsets[row + 1] as number) - (offsets[row] as number) > INLINED_STRING_BYTES) return true;
  return false;
}

/** Gives the bytes (more than are inlined) to the vector; answers the address of its copy. */
function addressOfKept(vector: RawVector, bytes: Uint8Array): number {
  duckdb.vector_assign_string_element_len(vector, 0, bytes);
  const string = duckdb.vector_get_data(vector, STRING_BYTES);
  const view = new DataView(string.buffer, string.byteOffset, string.byteLength);
  return view.getUint32(8, true) + view.getUint32(12, true) * WORD;
}

/** The next bytes, four at most, as a word; the lowest first, zero where there are no more. */
function wordAt(bytes: Buffer, at: number, length: number): number {
  if (length <= 0) return 0;
  let word = bytes[at] as number;
  if (length > 1) word |= (bytes[at + 1] as number) << 8;
  if (length > 2) word |= (bytes[at + 2] as number) << 16;
  if (length > 3) word |= (bytes[at + 3] as number) << 24;
  return word;
}
