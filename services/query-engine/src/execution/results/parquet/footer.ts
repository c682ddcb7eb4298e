/**
 * Footers of Parquet files (parquet.thrift, "FileMetaData"): read from files that DuckDB wrote, put together into the one
 * of the file that their row groups become. Everything in them stays as DuckDB wrote it but for offsets and names.
 */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { FOOTER_BYTES_MAX, STATISTICS_BYTES_MAX } from './limits.ts';
import {
  ThriftType,
  readStruct,
  writeFieldHead,
  writeListHead,
  writeValue,
  type ThriftStruct,
  type ThriftValue,
} from './thrift.ts';

export const MAGIC = Buffer.from('PAR1');
/** The footer's length, and the magic again. */
export const TAIL_BYTES = 8;

const FileField = Object.freeze({ SCHEMA: 2, ROW_COUNT: 3, ROW_GROUPS: 4 });
const SchemaField = Object.freeze({ NAME: 4 });
const GroupField = Object.freeze({ COLUMNS: 1, ROW_COUNT: 3, FILE_OFFSET: 5, ORDINAL: 7 });
const ChunkField = Object.freeze({ FILE_OFFSET: 2, METADATA: 3, OFFSET_INDEX: 4, COLUMN_INDEX: 6 });
const ColumnField = Object.freeze({
  PATH: 3,
  DATA_PAGE: 9,
  INDEX_PAGE: 10,
  DICTIONARY_PAGE: 11,
  STATISTICS: 12,
  BLOOM_FILTER: 14,
});

const listAt = (struct: ThriftStruct, id: number): readonly ThriftValue[] => {
  const value = struct.get(id);
  return value !== undefined && 'items' in value ? value.items : [];
};
const integerAt = (struct: ThriftStruct, id: number): bigint => {
  const value = struct.get(id);
  return value !== undefined && 'integer' in value ? value.integer : 0n;
};
const structOf = (value: ThriftValue | undefined): ThriftStruct => {
  if (value === undefined || !('struct' in value)) throw new Error('parquet: a footer lacks a struct');
  return value.struct;
};
const encoded = (value: ThriftValue): Buffer => {
  const parts: Buffer[] = [];
  writeValue(parts, value);
  return Buffer.concat(parts);
};

/** Moves what a field points to; what is not there, or points nowhere (0), stays. */
function move(struct: ThriftStruct, id: number, by: bigint): void {
  const value = struct.get(id);
  if (value !== undefined && 'integer' in value && value.integer !== 0n)
    struct.set(id, { type: value.type, integer: value.integer + by });
}

function moveChunk(chunk: ThriftStruct, by: bigint, name: string): void {
  for (const id of [ChunkField.FILE_OFFSET, ChunkField.OFFSET_INDEX, ChunkField.COLUMN_INDEX])
    move(chunk, id, by);
  const column = structOf(chunk.get(ChunkField.METADATA));
  const { DATA_PAGE, INDEX_PAGE, DICTIONARY_PAGE, BLOOM_FILTER, PATH, STATISTICS } = ColumnField;
  for (const id of [DATA_PAGE, INDEX_PAGE, DICTIONARY_PAGE, BLOOM_FILTER]) move(column, id, by);
  const path = { type: ThriftType.BINARY, bits: Buffer.from(name) };
  column.set(PATH, { type: ThriftType.LIST, of: ThriftType.BINARY, items: [path] });
  // Of long texts they are of little use, and there may be very many.
  const statistics = column.get(STATISTICS);
  if (statistics !== undefined && encoded(statistics).length > STATISTICS_BYTES_MAX)
    column.delete(STATISTICS);
}

/** The footer's place in a file of so many bytes that ends with `tail`. */
export function footerRange(
  fileBytes: number,
  tail: Buffer,
): { readonly start: number; readonly end: number } {
  const end = fileBytes - TAIL_BYTES;
  if (!tail.subarray(4).equals(MAGIC)) throw new Error('parquet: a file has no footer');
  return { start: end - tail.readUInt32LE(0), end };
}

export interface FooterWriter {
  /** Takes the row groups of a file whose bytes behind the magic come to lie at `offset`; answers how many rows they have. */
  add(footer: Buffer, offset: number): number;
  /** What ends the file: the footer, its length, the magic. */
  end(): Buffer;
}

/** `names`: of the columns, all different. Every file must have the same schema; one at least must be added. */
export function createFooterWriter(names: readonly string[]): FooterWriter {
  let first: ThriftStruct | null = null;
  let schema: Buffer | null = null;
  const groups: Buffer[] = [];
  let bytes = 0;
  let rows = 0n;

  const take = (group: ThriftValue, by: bigint): void => {
    const struct = structOf(group);
    move(struct, GroupField.FILE_OFFSET, by);
    // Its place in its own file.
    if (struct.has(GroupField.ORDINAL))
      struct.set(GroupField.ORDINAL, { type: ThriftType.I16, integer: BigInt(groups.length) });
    for (const [i, chunk] of listAt(struct, GroupField.COLUMNS).entries())
      moveChunk(structOf(chunk), by, names[i] ?? '');
    const written = encoded(group);
    bytes += written.length;
    if (bytes > FOOTER_BYTES_MAX)
      throw new PenstockError('RESOURCE_EXHAUSTED', 'The result has too many parts for one Parquet file', {
        detail: 'Select fewer columns, or ask for several files by ranges of the key',
      });
    groups.push(written);
  };

  return {
    add(footer, offset) {
      const file = readStruct(footer);
      const columns = encoded({
        type: ThriftType.LIST,
        of: ThriftType.STRUCT,
        items: listAt(file, FileField.SCHEMA),
      });
      if (schema !== null && !schema.equals(columns))
        throw new Error('parquet: row groups of different schemas');
      schema ??= columns;
      const by = BigInt(offset - MAGIC.length);
      for (const group of listAt(file, FileField.ROW_GROUPS)) take(group, by);
      const count = integerAt(file, FileField.ROW_COUNT);
      rows += count;
      first ??= file;
      return Number(count);
    },
    end() {
      if (first === null) throw new Error('parquet: a file without a schema');
      // The root comes first; the columns have nothing below them.
      for (const [i, element] of listAt(first, FileField.SCHEMA).slice(1).entries())
        structOf(element).set(SchemaField.NAME, {
          type: ThriftType.BINARY,
          bits: Buffer.from(names[i] ?? ''),
        });
      first.set(FileField.ROW_COUNT, { type: ThriftType.I64, integer: rows });
      const parts: Buffer[] = [];
      let before = 0;
      for (const [id, value] of first) {
        writeFieldHead(parts, before, id, value);
        before = id;
        if (id !== FileField.ROW_GROUPS) writeValue(parts, value, false);
        else {
          writeListHead(parts, groups.length, ThriftType.STRUCT);
          for (const group of groups) parts.push(group);
        }
      }
      parts.push(Buffer.from([0]));
      const length = Buffer.alloc(4);
      length.writeUInt32LE(parts.reduce((sum, part) => sum + part.length, 0));
      return Buffer.concat([...parts, length, MAGIC]);
    },
  };
}
