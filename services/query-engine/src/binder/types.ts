/** The types that CAST accepts, and their canonical names. */
import { nearestNames } from '@penstock/common/text/nearest-names.ts';

const CANONICAL: ReadonlyMap<string, string> = new Map(
  Object.entries({
    TINYINT: ['TINYINT', 'INT1'],
    SMALLINT: ['SMALLINT', 'INT2', 'SHORT'],
    INTEGER: ['INTEGER', 'INT', 'INT4'],
    BIGINT: ['BIGINT', 'INT8', 'LONG', 'SIGNED'],
    HUGEINT: ['HUGEINT', 'INT16'],
    REAL: ['REAL', 'FLOAT4'],
    DOUBLE: ['DOUBLE', 'DOUBLE PRECISION', 'FLOAT8', 'FLOAT'],
    VARCHAR: ['VARCHAR', 'TEXT', 'STRING', 'CHAR', 'CHARACTER', 'BPCHAR', 'CHARACTER VARYING', 'NVARCHAR'],
    BOOLEAN: ['BOOLEAN', 'BOOL', 'LOGICAL'],
    DATE: ['DATE'],
    TIME: ['TIME', 'TIME WITHOUT TIME ZONE'],
    TIMESTAMP: ['TIMESTAMP', 'DATETIME', 'TIMESTAMP WITHOUT TIME ZONE'],
    TIMESTAMPTZ: ['TIMESTAMPTZ', 'TIMESTAMP WITH TIME ZONE'],
    INTERVAL: ['INTERVAL'],
    BLOB: ['BLOB', 'BINARY', 'VARBINARY', 'BYTEA'],
    JSON: ['JSON', 'JSONB'],
    DECIMAL: ['DECIMAL', 'NUMERIC', 'DEC'],
  }).flatMap(([canonical, names]) => names.map((name) => [name, canonical] as const)),
);

/** Digits that a DECIMAL can hold. */
const DECIMAL_PRECISION_MAX = 38;

const DECIMAL = /^(?:DECIMAL|NUMERIC|DEC)\s*\(\s*(\d{1,4})\s*(?:,\s*(\d{1,4})\s*)?\)$/;
/** Digits of a second that are kept, and so the most that may be asked for to no effect. */
const SECOND_DIGITS = 6;
/** Types that take a length: of text in characters, of times in digits of the second. */
const WITH_LENGTH =
  /^(VARCHAR|CHAR|CHARACTER|CHARACTER VARYING|BPCHAR|NVARCHAR|TEXT|STRING|TIMESTAMP|DATETIME|TIMESTAMPTZ|TIME|FLOAT) ?\( ?(\d{1,9}) ?\)$/;
/** Digits of a second that can be rounded to: whole seconds and milliseconds. */
const ROUNDED_TO: ReadonlySet<number> = new Set([0, 3]);
/** Binary digits of a REAL; FLOAT takes up to so many, and up to 53 for a DOUBLE, as in PostgreSQL. */
const REAL_BITS = 24;
const DOUBLE_BITS = 53;

/** A type as CAST takes it. */
export interface NamedType {
  /**
   * TINYINT, SMALLINT, INTEGER, BIGINT, HUGEINT, DECIMAL(p,s), DECIMAL (exact, with the digits that the value has), REAL,
   * DOUBLE, VARCHAR, BOOLEAN, DATE, TIME, TIMESTAMP, TIMESTAMPTZ, INTERVAL, BLOB or JSON.
   */
  readonly name: string;
  /** The length that values are cut to: characters of a VARCHAR, digits of a TIMESTAMP's seconds. Null: they are not cut. */
  readonly length: number | null;
}

/** The type of a name, with its length; null where there is no such type, or none of such a length. */
export function typeOf(written: string): NamedType | null {
  const folded = written.trim().toUpperCase().replace(/\s+/g, ' ');
  const [, word = '', digits = ''] = WITH_LENGTH.exec(folded) ?? [];
  const length = Number(digits);
  if (word === '') {
    const plain = canonicalType(folded);
    return plain === null ? null : { name: plain, length: null };
  }
  if (word === 'FLOAT') {
    if (length < 1 || length > DOUBLE_BITS) return null;
    return { name: length <= REAL_BITS ? 'REAL' : 'DOUBLE', length: null };
  }
  const name = CANONICAL.get(word) ?? null;
  if (name === null) return null;
  if (name === 'VARCHAR') return length === 0 ? null : { name, length };
  if (length >= SECOND_DIGITS) return { name, length: null };
  return (name === 'TIMESTAMP' || name === 'TIMESTAMPTZ') && ROUNDED_TO.has(length) ? { name, length } : null;
}

/** The canonical name of a type without a length; null for any other type. */
function canonicalType(name: string): string | null {
  const decimal = DECIMAL.exec(name);
  if (decimal !== null) {
    const precision = Number(decimal[1]);
    const scale = Number(decimal[2] ?? '0');
    const legal = precision >= 1 && precision <= DECIMAL_PRECISION_MAX && scale <= precision;
    return legal ? `DECIMAL(${precision},${scale})` : null;
  }
  return CANONICAL.get(name) ?? null;
}

/** Type names that look like this one. */
export function typesNear(written: string): readonly string[] {
  return nearestNames(written.split('(', 1)[0] ?? '', [...CANONICAL.keys()]);
}
