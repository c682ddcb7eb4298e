/** How a constant's value is asked for, and what DuckDB's answer says. */
import type { DuckDBValue } from '@duckdb/node-api';
import type { SqlType } from '../../duckdb-sql/types/sql-type.ts';
import { parseNumber, printNumber } from '../../logical/exact-number.ts';
import type { LiteralValue } from '../../logical/expression.ts';
import { FOLDED_BYTES_MAX } from '../limits.ts';

/** A DuckDB value as text or as it is; NULL where it is no value that reads can be planned by. Null: no value of the type is. */
export function askingFor(column: string, type: SqlType): string | null {
  switch (type.kind) {
    case 'null':
    case 'boolean':
    case 'double':
      return column;
    case 'integer':
    case 'decimal':
      return `CAST(${column} AS VARCHAR)`;
    case 'text':
      return `CASE WHEN strlen(${column}) <= ${FOLDED_BYTES_MAX} THEN ${column} END`;
    case 'binary':
      return `CASE WHEN octet_length(${column}) <= ${FOLDED_BYTES_MAX} THEN to_base64(${column}) END`;
    case 'temporal':
      if (type.sql === 'INTERVAL') return null;
      // What it prints does not depend on the session's time zone, then.
      return type.sql === 'TIMESTAMPTZ'
        ? `CAST(make_timestamp(epoch_us(${column})) AS VARCHAR)`
        : `CAST(${column} AS VARCHAR)`;
    case 'json':
    case 'mixed':
    case 'row':
      return null;
  }
}

/** Years of four digits: no infinity, none before Christ. */
const TEMPORAL: Readonly<Record<string, RegExp>> = Object.freeze({
  DATE: /^\d{4}-\d\d-\d\d$/,
  TIME: /^\d\d:\d\d:\d\d(?:\.\d{1,6})?$/,
  TIMESTAMP: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?$/,
  TIMESTAMPTZ: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?$/,
});

function numberOf(text: string, isApproximate: boolean): LiteralValue | null {
  const number = parseNumber(text);
  if (number === null) return null;
  return { type: 'number', text: printNumber(number), ...(isApproximate && { approximate: true }) };
}

/** The value; null where it is of no use. `answer`: what `askingFor` asked for. */
export function foldedValue(type: SqlType, isNull: boolean, answer: DuckDBValue): LiteralValue | null {
  if (isNull) return { type: 'null' };
  switch (type.kind) {
    case 'boolean':
      return typeof answer === 'boolean' ? { type: 'boolean', value: answer } : null;
    case 'double':
      return typeof answer === 'number' && Number.isFinite(answer) ? numberOf(String(answer), true) : null;
    default:
  }
  if (typeof answer !== 'string') return null;
  switch (type.kind) {
    case 'integer':
      return numberOf(answer, false);
    case 'decimal':
      // The last digits of a quotient are rounded, and not always in the same place.
      return numberOf(answer, (type.quotients ?? 0) > 0);
    case 'text':
      return { type: 'text', value: answer };
    case 'binary':
      return { type: 'binary', base64: answer };
    case 'temporal':
      return type.sql === 'INTERVAL' || TEMPORAL[type.sql]?.test(answer) !== true
        ? null
        : {
            type: 'temporal',
            sqlType: type.sql,
            value: type.sql === 'TIMESTAMPTZ' ? `${answer}+00` : answer,
          };
    default:
      return null;
  }
}
