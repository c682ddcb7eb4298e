/**
 * Types of expressions in the residual query: coarse, since DynamoDB's items have no declared ones.
 *
 * A column's type follows from the values that were read, so the residual is written once they are in. `integerDigits` is
 * how many digits a number has before its point at most, as far as the values and operators tell: it decides whether
 * exact arithmetic fits 38 digits, or must go on as DOUBLE.
 */

/** A whole number. DuckDB's BIGINT up to 18 digits for sure, HUGEINT beyond. */
export interface IntegerType {
  readonly kind: 'integer';
  readonly sql: 'TINYINT' | 'SMALLINT' | 'INTEGER' | 'BIGINT' | 'HUGEINT';
  readonly integerDigits: number;
}

export interface DecimalType {
  readonly kind: 'decimal';
  readonly width: number;
  readonly scale: number;
  readonly integerDigits: number;
  /** Quotients inside each other that it was computed by, whose last digits were rounded. None: it is exact. */
  readonly quotients?: number;
}

/**
 * Values of several types in one column, or numbers that no exact type holds. Carried as a struct of the value's kind,
 * its number (only for numbers), what it sorts by, and its text (exact): so grouping and sorting need no casts.
 */
export interface MixedType {
  readonly kind: 'mixed';
  /** The type that all its numbers, and texts that are numbers, fit. */
  readonly number: NumberType;
  readonly onlyNumbers: boolean;
  /** Whether dates or times may be among the values: an item has none, but an expression may make them. */
  readonly instants: boolean;
  /** The type that all numbers in its documents, and texts there that are numbers, fit; absent where that is not known. */
  readonly within?: NumberType;
}

/** Both are stored as DOUBLE; a REAL holds only what 24 binary digits do, and is shown by as few digits as tell it. */
export interface DoubleType {
  readonly kind: 'double';
  readonly real?: true;
}

/** `within`: as of a mixed type. */
export interface JsonType {
  readonly kind: 'json';
  readonly within?: NumberType;
}

export type NumberType = IntegerType | DecimalType | DoubleType;

export type SqlType =
  /** A column that no item has, or a bare NULL: fits everything. */
  | { readonly kind: 'null' }
  | NumberType
  | { readonly kind: 'boolean' }
  | { readonly kind: 'text' }
  /** Shown, and compared with text, as base64. */
  | { readonly kind: 'binary' }
  /** A map, list or set as JSON text. */
  | JsonType
  | MixedType
  | { readonly kind: 'temporal'; readonly sql: 'DATE' | 'TIME' | 'TIMESTAMP' | 'TIMESTAMPTZ' | 'INTERVAL' }
  /** `(a, b)`: only compared with another of its width. */
  | { readonly kind: 'row'; readonly fields: readonly SqlType[] };

/** SQL text and the type of what it yields. */
export interface Typed {
  readonly sql: string;
  readonly type: SqlType;
}

/** Digits that DECIMAL and HUGEINT hold. */
export const EXACT_DIGITS_MAX = 38;
/** Digits that BIGINT holds whatever they are. */
export const BIGINT_DIGITS = 18;

export const NULL_TYPE: SqlType = Object.freeze({ kind: 'null' });
export const TEXT: SqlType = Object.freeze({ kind: 'text' });
export const BOOLEAN: SqlType = Object.freeze({ kind: 'boolean' });
export const DOUBLE: DoubleType = Object.freeze({ kind: 'double' });
export const REAL: DoubleType = Object.freeze({ kind: 'double', real: true });
export const JSON_TYPE: SqlType = Object.freeze({ kind: 'json' });
export const BINARY: SqlType = Object.freeze({ kind: 'binary' });
/** The struct that carries a mixed value: see `macros.ts`. */
export const MIXED_SQL = 'STRUCT(k UTINYINT, o DOUBLE, s VARCHAR, t VARCHAR)';

/** The narrowest of BIGINT and HUGEINT that holds every whole number of so many digits. */
export function integer(integerDigits: number): IntegerType {
  return { kind: 'integer', sql: integerDigits <= BIGINT_DIGITS ? 'BIGINT' : 'HUGEINT', integerDigits };
}

/** An exact type for so many digits before and after the point, or DOUBLE where there is none. */
export function exactNumber(integerDigits: number, scale: number): NumberType {
  if (integerDigits + scale > EXACT_DIGITS_MAX) return DOUBLE;
  if (scale === 0) return integer(integerDigits);
  return { kind: 'decimal', width: Math.max(integerDigits + scale, 1), scale, integerDigits };
}

export function mixed(number: NumberType, onlyNumbers = false, instants = false): MixedType {
  return { kind: 'mixed', number, onlyNumbers, instants };
}

/** A value that lies in a document: of any type, its numbers as all of the document's are. */
export function valueWithin(document: SqlType): MixedType {
  const within = document.kind === 'json' || document.kind === 'mixed' ? document.within : undefined;
  return within === undefined ? mixed(DOUBLE) : { ...mixed(within), within };
}

export function temporal(sql: 'DATE' | 'TIME' | 'TIMESTAMP' | 'TIMESTAMPTZ' | 'INTERVAL'): SqlType {
  return { kind: 'temporal', sql };
}

export const isReal = (type: SqlType): boolean => type.kind === 'double' && type.real === true;

/** Of so many operands at most inside each other. */
export const quotientsIn = (...types: readonly SqlType[]): number =>
  Math.max(0, ...types.map((type) => (type.kind === 'decimal' && type.quotients) || 0));

/** A number computed of such operands. */
export function computedOf<T extends NumberType>(type: T, ...operands: readonly SqlType[]): T {
  const quotients = quotientsIn(...operands);
  return type.kind === 'decimal' && quotients > 0 ? { ...type, quotients } : type;
}

/** A number rounded to a REAL. */
export const asReal = (sql: string, cast: 'CAST' | 'TRY_CAST' = 'CAST'): Typed => ({
  sql: `CAST(${cast}(${sql} AS FLOAT) AS DOUBLE)`,
  type: REAL,
});

export function isNumber(type: SqlType): type is NumberType {
  return type.kind === 'integer' || type.kind === 'decimal' || type.kind === 'double';
}

/** The type as DuckDB spells it. */
export function duckdbType(type: SqlType): string {
  switch (type.kind) {
    case 'null':
    case 'text':
    case 'json':
      return 'VARCHAR';
    case 'integer':
    case 'temporal':
      return type.sql;
    case 'decimal':
      return `DECIMAL(${type.width},${type.scale})`;
    case 'double':
      return 'DOUBLE';
    case 'boolean':
      return 'BOOLEAN';
    case 'binary':
      return 'BLOB';
    case 'mixed':
      return MIXED_SQL;
    case 'row':
      return `STRUCT(${type.fields.map((field, i) => `f${i} ${duckdbType(field)}`).join(', ')})`;
  }
}

/** The type as `columnTypes` shows it. */
export function typeLabel(type: SqlType): string {
  switch (type.kind) {
    case 'json':
      return 'JSON';
    case 'double':
      return isReal(type) ? 'REAL' : 'DOUBLE';
    case 'mixed':
      return type.onlyNumbers ? 'DOUBLE' : 'MIXED';
    case 'row':
      return 'JSON';
    default:
      return duckdbType(type);
  }
}
