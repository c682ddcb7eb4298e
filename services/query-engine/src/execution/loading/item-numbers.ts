/** A column of the items' numbers in their batch: filters leave out rows, and it tells which item each row that stays is of. */
import { TypeCode, typeBit, type ColumnVector } from '../../dynamodb/column-batch.ts';
import { integer, type SqlType } from '../../duckdb-sql/types/sql-type.ts';

/** Digits of the largest number: no page of the read has as many items. */
const DIGITS = 9;

export const ITEM_TYPE: SqlType = Object.freeze(integer(DIGITS));

export function itemNumbers(rowCount: number): ColumnVector {
  const offsets = new Uint32Array(rowCount + 1);
  const numbers = Array.from({ length: rowCount }, (_, item) => {
    const text = String(item);
    offsets[item + 1] = (offsets[item] ?? 0) + text.length;
    return text;
  });
  const types = new Uint8Array(rowCount).fill(TypeCode.N);
  return { types, bytes: Buffer.from(numbers.join(''), 'latin1'), offsets, typesSeen: typeBit(TypeCode.N) };
}
