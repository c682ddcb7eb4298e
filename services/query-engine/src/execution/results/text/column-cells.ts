/** Cells of a decoded page as fields: the bytes that DynamoDB sent, where they are what JSON shows. */
import { TypeCode, type ColumnVector } from '../../../dynamodb/column-batch.ts';
import { numberJson } from '../../../planning/row-check.ts';
import type { FieldWriter } from './field-writer.ts';
import type { CellWriter } from './row-piece.ts';

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;

/** True of digits that are shown as they are: no exponent, no idle zeros, no minus zero. */
export function isShownAsIs(bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start] === MINUS ? start + 1 : start;
  if (bytes[first] === ZERO && bytes[first + 1] !== POINT && (end > first + 1 || first > start)) return false;
  let point = -1;
  for (let i = first; i < end; i++) {
    const code = bytes[i] as number;
    if (code >= ZERO && code <= NINE) continue;
    if (code !== POINT || point >= 0) return false;
    point = i;
  }
  return point < 0 ? end > first : point > first && point < end - 1 && bytes[end - 1] !== ZERO;
}

/** Fields of a column; of one that the read has not, NULL. */
export function columnCells(column: ColumnVector | undefined, field: FieldWriter): CellWriter {
  if (column === undefined) return (sink) => field.nothing(sink);
  const { types, bytes, offsets } = column;
  const text = field.isClean(bytes) ? field.cleanText : field.text;
  return (sink, row) => {
    const start = offsets[row] as number;
    const end = offsets[row + 1] as number;
    switch (types[row]) {
      case TypeCode.MISSING:
      case TypeCode.NULL:
        return field.nothing(sink);
      case TypeCode.S:
      case TypeCode.B:
        return text(sink, bytes, start, end);
      case TypeCode.N:
        if (isShownAsIs(bytes, start, end)) return field.plain(sink, bytes, start, end);
        return field.cell(sink, numberJson(bytes.toString('latin1', start, end)));
      case TypeCode.BOOL:
        return field.plain(sink, bytes, start, end);
      default:
        return field.document(sink, bytes, start, end);
    }
  };
}
