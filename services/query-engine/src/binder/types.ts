/** The types that CAST accepts, and their canonical names. */
import { nearestNames } from '@penstock/common/text/nearest-names.ts';

const CANONICAL: ReadonlyMap<string, string> = new Map(
  Object.entries({
    TINYINT: ['TINYINT', 'INT1'],
    SMALLINT: ['SMALLINT', 'INT2', 'SHORT'],
    INTEGER: ['INTEGER', 'INT', 'INT4'],
    BIGINT: ['BIGINT', 'INT8', 'LONG', 'SIGNED'],
    HUGEINT: ['HUGEINT', 'INT16'],
    REAL: ['REAL', 'FLOAT4', 'FLOAT'],
    DOUBLE: ['DOUBLE', 'DOUBLE PRECISION', 'FLOAT8'],
    VARCHAR: ['VARCHAR', 'TEXT', 'STRING', 'CHAR', 'CHARACTER', 'BPCHAR', 'CHARACTER VARYING', 'NVARCHAR'],
    BOOLEAN: ['BOOLEAN', 'BOOL', 'LOGICAL'],
    DATE: ['DATE'],
    TIME: ['TIME', 'TIME WITHOUT TIME ZONE'],
    TIMESTAMP: ['TIMESTAMP', 'DATETIME', 'TIMESTAMP WITHOUT TIME ZONE'],
    TIMESTAMPTZ: ['TIMESTAMPTZ', 'TIMESTAMP WITH TIME ZONE'],
    INTERVAL: ['INTERVAL'],
    BLOB: ['BLOB', 'BINARY', 'VARBINARY', 'BYTEA'],
    JSON: ['JSON'],
    DECIMAL: ['DECIMAL', 'NUMERIC', 'DEC'],
  }).flatMap(([canonical, names]) => names.map((name) => [name, canonical] as const)),
);

/** Digits that a DECIMAL can hold. */
const DECIMAL_PRECISION_MAX = 38;

const DECIMAL = /^(?:DECIMAL|NUMERIC|DEC)\s*\(\s*(\d{1,4})\s*(?:,\s*(\d{1,4})\s*)?\)$/;
/** Lengths of text are accepted and, as in DuckDB, mean nothing; fractions of a second likewise. */
const WITH_LENGTH =
  /^(VARCHAR|CHAR|CHARACTER|CHARACTER VARYING|BPCHAR|NVARCHAR|TEXT|STRING|BINARY|VARBINARY|TIMESTAMP|TIME)\s*\(\s*\d+\s*\)$/;

/**
 * The canonical name of a type: TINYINT, SMALLINT, INTEGER, BIGINT, HUGEINT, DECIMAL(p,s), DECIMAL (exact, with the
 * digits that the value has), REAL, DOUBLE, VARCHAR, BOOLEAN, DATE, TIME, TIMESTAMP, TIMESTAMPTZ, INTERVAL, BLOB or
 * JSON. Null for any other type.
 */
export function canonicalType(written: string): string | null {
  const name = written.trim().toUpperCase().replace(/\s+/g, ' ');
  const decimal = DECIMAL.exec(name);
  if (decimal !== null) {
    const precision = Number(decimal[1]);
    const scale = Number(decimal[2] ?? '0');
    const legal = precision >= 1 && precision <= DECIMAL_PRECISION_MAX && scale <= precision;
    return legal ? `DECIMAL(${precision},${scale})` : null;
  }
  return CANONICAL.get(WITH_LENGTH.exec(name)?.[1] ?? name) ?? null;
}

/** Type names that look like this one. */
export function typesNear(written: string): readonly string[] {
  return nearestNames(written.split('(', 1)[0] ?? '', [...CANONICAL.keys()]);
}
