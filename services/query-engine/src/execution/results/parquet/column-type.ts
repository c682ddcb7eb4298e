/**
 * How a column is stored in Parquet. A type is chosen when the first row group goes out, from what was read by then and what
 * a sample saw before: a later value that it does not hold ends the result with an error, and is never written otherwise.
 */
import { MixedKind } from '../../../duckdb-sql/macros.ts';
import { toText } from '../../../duckdb-sql/types/convert.ts';
import { duckdbType, isReal, type SqlType, type Typed } from '../../../duckdb-sql/types/sql-type.ts';
import { AMOUNT_SCALE_MAX, ROOMY_SCALE_MAX, SHOWN_VALUE_MAX, SPARE_INTEGER_DIGITS } from './limits.ts';

const DIGITS = 38;

/** A type by DuckDB's name, as its writer of Parquet takes it. */
export type ParquetType = string;

/** `more` rows may follow that nobody has seen. */
export function parquetType(type: SqlType, more: boolean): ParquetType {
  switch (type.kind) {
    case 'integer':
      return type.sql === 'HUGEINT' ? `DECIMAL(${DIGITS},0)` : type.sql;
    case 'decimal':
      return `DECIMAL(${DIGITS},${more ? roomyScale(type.scale, type.integerDigits) : type.scale})`;
    case 'double':
      return isReal(type) ? 'FLOAT' : 'DOUBLE';
    case 'boolean':
      return 'BOOLEAN';
    case 'binary':
      return 'BLOB';
    case 'temporal':
      return type.sql === 'INTERVAL' ? 'VARCHAR' : type.sql;
    case 'null':
    case 'text':
    case 'json':
    case 'mixed':
    case 'row':
      return 'VARCHAR';
  }
}

function roomyScale(scale: number, integerDigits: number): number {
  if (scale <= AMOUNT_SCALE_MAX) return scale;
  return Math.max(scale, Math.min(ROOMY_SCALE_MAX, DIGITS - integerDigits - SPARE_INTEGER_DIGITS));
}

/** What an error begins with that a value raises which its column does not hold: the column's position and the value follow. */
export const MISFIT = 'parquet-misfit';

/** An expression that fails with the value, in hexadecimal digits. */
const misfit = (text: string, position: number): string =>
  `error('${MISFIT} ${position} ' || hex(encode(CAST(${text} AS VARCHAR)[:${SHOWN_VALUE_MAX}])))`;

const isExact = (wanted: ParquetType): boolean => /^(?:DECIMAL|(?:TINY|SMALL|BIG)INT$|INTEGER$)/.test(wanted);

/** NULL stays NULL; a value is `made`. */
const unlessNull = (sql: string, wanted: ParquetType, made: string): string =>
  `CASE WHEN ${sql} IS NULL THEN CAST(NULL AS ${wanted}) ELSE ${made} END`;

/** A number by its digits, where the wanted type has all of them. */
function exactly(digits: string, wanted: ParquetType, position: number): string {
  const cast = `TRY_CAST(${digits} AS ${wanted})`;
  return `CASE WHEN ps_trim(CAST(${cast} AS VARCHAR)) = ps_trim(${digits}) THEN ${cast} ELSE ${misfit(digits, position)} END`;
}

/** A DOUBLE, or what becomes one, where it is the same again when it comes back. */
function thereAndBack(sql: string, back: string, wanted: ParquetType, position: number): string {
  const cast = `TRY_CAST(${sql} AS ${wanted})`;
  return `CASE WHEN CAST(${cast} AS ${back}) = ${sql} THEN ${cast} ELSE ${misfit(sql, position)} END`;
}

/** One of several kinds, where it is of the kind that the column has. */
function mixedAs(sql: string, wanted: ParquetType, position: number): string {
  const text = `(${sql}).t`;
  const ofKind = (kind: number, made: string): string =>
    `CASE WHEN (${sql}).k = ${kind} THEN ${made} ELSE ${misfit(text, position)} END`;
  if (wanted === 'BOOLEAN') return ofKind(MixedKind.BOOLEAN, `${text} = 'true'`);
  if (wanted === 'BLOB') return ofKind(MixedKind.BINARY, `from_base64(${text})`);
  return isExact(wanted) ? ofKind(MixedKind.NUMBER, exactly(text, wanted, position)) : misfit(text, position);
}

/** A value as it is stored; `position`: the column's, for an error that names it. */
export function storedValue(value: Typed, wanted: ParquetType, position: number): string {
  const { sql, type } = value;
  if (type.kind === 'null') return `CAST(NULL AS ${wanted})`;
  if (wanted === 'VARCHAR') return toText(value).sql;
  if (parquetType(type, false) === wanted) return `CAST(${sql} AS ${wanted})`;
  const made = (): string => {
    if (type.kind === 'mixed') return mixedAs(sql, wanted, position);
    if (type.kind === 'integer' || type.kind === 'decimal')
      return isExact(wanted)
        ? exactly(`CAST(${sql} AS VARCHAR)`, wanted, position)
        : thereAndBack(sql, duckdbType(type), wanted, position);
    return type.kind === 'double' && (isExact(wanted) || wanted === 'DOUBLE')
      ? thereAndBack(sql, 'DOUBLE', wanted, position)
      : misfit(sql, position);
  };
  return unlessNull(sql, wanted, made());
}
