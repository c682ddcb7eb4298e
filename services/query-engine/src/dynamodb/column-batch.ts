/**
 * Rows as columns: what a decoded page is, and all that later stages see of DynamoDB's answers.
 *
 * Values stay text until their column's type is inferred, so that no digit is lost on the way; and they stay bytes, a
 * column's in one place, so that a page of many thousand cells is a few objects and not many thousand.
 */
import type { AttributeType } from '../catalog/table.ts';

/** What a cell holds, as a small number: `MISSING` where the item has no such attribute (or path). */
export const TypeCode = Object.freeze({
  MISSING: 0,
  S: 1,
  N: 2,
  B: 3,
  BOOL: 4,
  NULL: 5,
  M: 6,
  L: 7,
  SS: 8,
  NS: 9,
  BS: 10,
}) satisfies Readonly<Record<AttributeType | 'MISSING', number>>;

export type TypeCode = (typeof TypeCode)[keyof typeof TypeCode];

/** The attribute type of each code; `[0]` (missing) is null. */
export const TYPE_OF_CODE: readonly (AttributeType | null)[] = Object.freeze([
  null,
  'S',
  'N',
  'B',
  'BOOL',
  'NULL',
  'M',
  'L',
  'SS',
  'NS',
  'BS',
]);

/** One column of a batch. */
export interface ColumnVector {
  /** A `TypeCode` per row. */
  readonly types: Uint8Array;
  /**
   * The cells' UTF-8, one after the other. S: the string. N: the digits as DynamoDB sent them. B: base64. BOOL: `true` or
   * `false`. M, L and the sets: plain JSON text (numbers verbatim, binary as base64 strings, sets as sorted arrays).
   */
  readonly bytes: Buffer;
  /** Where the cells start: one more than there are rows. A cell that is missing or NULL has no bytes. */
  readonly offsets: Uint32Array;
  /** `1 << TypeCode` of every code in `types`, or-ed. */
  readonly typesSeen: number;
}

/** Some rows of one read, a vector for each of the read's columns, in their order. */
export interface ColumnBatch {
  readonly rowCount: number;
  readonly columns: readonly ColumnVector[];
}

/** `typesSeen` of a type. */
export function typeBit(code: TypeCode): number {
  return 1 << code;
}

/** A cell's text; null where missing or NULL. */
export function textOf({ types, bytes, offsets }: ColumnVector, row: number): string | null {
  const type = types[row] ?? TypeCode.MISSING;
  if (type === TypeCode.MISSING || type === TypeCode.NULL) return null;
  return bytes.toString('utf8', offsets[row], offsets[row + 1]);
}
