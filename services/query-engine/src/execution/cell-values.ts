/** Cells of a column batch as the values that DuckDB's vectors take. */
import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DECIMAL,
  DOUBLE,
  DuckDBBlobValue,
  DuckDBDecimalValue,
  DuckDBStructValue,
  HUGEINT,
  STRUCT,
  UTINYINT,
  VARCHAR,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import { TypeCode } from '../dynamodb/column-batch.ts';
import { MixedKind } from '../physical/macros.ts';
import { numberKey } from '../physical/number-key.ts';
import { parseNumber, printNumber } from '../physical/number-text.ts';
import type { SqlType } from '../physical/types/sql-type.ts';

/** A value that is neither missing nor NULL. */
type CellValue = (text: string, code: number) => DuckDBValue;

/** `text` × 10^`scale`, which is whole since the scale was settled by the values. */
function scaled(text: string, scale: number): bigint {
  const point = text.indexOf('.');
  const plain = point < 0 ? text : text.slice(0, point) + text.slice(point + 1);
  const places = point < 0 ? 0 : text.length - point - 1;
  if (places <= scale && isDigits(plain)) return BigInt(plain + '0'.repeat(scale - places));
  const number = parseNumber(text);
  if (number === null) throw new Error('a number that no exact type holds is in an exact column');
  return number.digits * 10n ** BigInt(scale - number.scale);
}

function isDigits(text: string): boolean {
  for (let i = text.charCodeAt(0) === 45 ? 1 : 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return text.length > 0 && text !== '-';
}

function mixedKind(code: number): number {
  switch (code) {
    case TypeCode.N:
      return MixedKind.NUMBER;
    case TypeCode.S:
      return MixedKind.TEXT;
    case TypeCode.BOOL:
      return MixedKind.BOOLEAN;
    case TypeCode.B:
      return MixedKind.BINARY;
    default:
      return MixedKind.JSON;
  }
}

const mixedValue: CellValue = (text, code) => {
  const kind = mixedKind(code);
  if (kind === MixedKind.BINARY)
    return new DuckDBStructValue({
      k: kind,
      o: null,
      s: Buffer.from(text, 'base64').toString('hex').toUpperCase(),
      t: text,
    });
  const number = kind === MixedKind.NUMBER ? parseNumber(text) : null;
  if (number === null) return new DuckDBStructValue({ k: kind, o: null, s: null, t: text });
  return new DuckDBStructValue({
    k: kind,
    o: Number(text),
    s: numberKey(number),
    t: printNumber(number),
  });
};

const MIXED = STRUCT({ k: UTINYINT, o: DOUBLE, s: VARCHAR, t: VARCHAR });

/** How the cells of a column of this type are stored. */
export function storageOf(type: SqlType): { readonly type: DuckDBType; readonly value: CellValue } {
  switch (type.kind) {
    case 'integer':
      return { type: type.sql === 'HUGEINT' ? HUGEINT : BIGINT, value: (text) => scaled(text, 0) };
    case 'decimal': {
      const { width, scale } = type;
      return {
        type: DECIMAL(width, scale),
        value: (text) => new DuckDBDecimalValue(scaled(text, scale), width, scale),
      };
    }
    case 'double':
      return { type: DOUBLE, value: Number };
    case 'boolean':
      return { type: BOOLEAN, value: (text) => text === 'true' };
    case 'binary':
      return { type: BLOB, value: (text) => new DuckDBBlobValue(Buffer.from(text, 'base64')) };
    case 'mixed':
      return { type: MIXED, value: mixedValue };
    case 'null':
    case 'text':
    case 'json':
    case 'temporal':
    case 'row':
      return { type: VARCHAR, value: (text) => text };
  }
}
