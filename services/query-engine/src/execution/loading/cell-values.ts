/** Cells of a mixed column as the values that DuckDB's vectors take. */
import { DOUBLE, DuckDBStructValue, STRUCT, UTINYINT, VARCHAR } from '@duckdb/node-api';
import { TypeCode } from '../../dynamodb/column-batch.ts';
import { MixedKind } from '../../duckdb-sql/macros.ts';
import { numberKey } from '../../duckdb-sql/number-key.ts';
import { parseNumber, printNumber } from '../../logical/exact-number.ts';

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

/** A value that is neither missing nor NULL. */
export const mixedValue = (text: string, code: number): DuckDBStructValue => {
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

/** The type of these values: `MIXED_SQL`. */
export const MIXED = STRUCT({ k: UTINYINT, o: DOUBLE, s: VARCHAR, t: VARCHAR });
