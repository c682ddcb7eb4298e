/** The one type that values of several types come together in: branches of CASE, operands of UNION, lists. */
import {
  DOUBLE,
  EXACT_DIGITS_MAX,
  NULL_TYPE,
  computedOf,
  exactNumber,
  integer,
  isNumber,
  isReal,
  mixed,
  temporal,
  type JsonType,
  type NumberType,
  type SqlType,
} from './sql-type.ts';

/** Digits before and after the point; null for a double. */
export function digitsOf(type: NumberType): { integerDigits: number; scale: number } | null {
  if (type.kind === 'double') return null;
  return { integerDigits: type.integerDigits, scale: type.kind === 'decimal' ? type.scale : 0 };
}

/** A number type that both fit; DOUBLE only where 38 digits are not enough, or one is DOUBLE. */
function commonNumber(a: NumberType, b: NumberType): NumberType {
  const left = digitsOf(a);
  const right = digitsOf(b);
  if (left === null || right === null) return isReal(a) && isReal(b) ? a : DOUBLE;
  const integerDigits = Math.max(left.integerDigits, right.integerDigits);
  const scale = Math.max(left.scale, right.scale);
  if (scale === 0) return integer(integerDigits);
  const exact = exactNumber(integerDigits, scale);
  if (exact.kind !== 'decimal') return exact;
  // Not narrower than either is stored.
  const width = Math.max(exact.width, widthOf(a, scale), widthOf(b, scale));
  return computedOf({ ...exact, width: Math.min(width, EXACT_DIGITS_MAX) }, a, b);
}

function widthOf(type: NumberType, scale: number): number {
  if (type.kind === 'decimal') return type.width - type.scale + scale;
  return type.kind === 'integer' ? type.integerDigits + scale : 0;
}

function commonOfTwo(a: SqlType, b: SqlType): SqlType {
  if (a.kind === 'null') return b;
  if (b.kind === 'null') return a;
  if (isNumber(a) && isNumber(b)) return commonOfNumbers(a, b);
  if (a.kind === 'temporal' && b.kind === 'temporal') return commonOfTemporals(a, b);
  if (a.kind === 'row' && b.kind === 'row' && a.fields.length === b.fields.length) {
    return { kind: 'row', fields: a.fields.map((field, i) => commonOfTwo(field, b.fields[i] ?? NULL_TYPE)) };
  }
  if (a.kind === 'json' && b.kind === 'json') return commonOfDocuments(a, b);
  if (a.kind === b.kind && a.kind !== 'mixed') return a;
  return mixed(
    commonNumber(numberWithin(a), numberWithin(b)),
    (isNumber(a) || (a.kind === 'mixed' && a.onlyNumbers)) &&
      (isNumber(b) || (b.kind === 'mixed' && b.onlyNumbers)),
    mayBeInstant(a) || mayBeInstant(b),
  );
}

function commonOfDocuments(a: JsonType, b: JsonType): JsonType {
  if (a.within === undefined || b.within === undefined) return { kind: 'json' };
  return { kind: 'json', within: commonNumber(a.within, b.within) };
}

/** Whether values of the type may be dates or times. */
export function mayBeInstant(type: SqlType): boolean {
  return type.kind === 'temporal' || (type.kind === 'mixed' && type.instants);
}

/** Exact numbers of different widths that no one exact type holds stay exact as mixed values. */
function commonOfNumbers(a: NumberType, b: NumberType): SqlType {
  const common = commonNumber(a, b);
  if (common.kind !== 'double' || a.kind === 'double' || b.kind === 'double') return common;
  return mixed(DOUBLE, true);
}

function commonOfTemporals(
  a: Extract<SqlType, { kind: 'temporal' }>,
  b: Extract<SqlType, { kind: 'temporal' }>,
): SqlType {
  if (a.sql === b.sql) return a;
  const instants = ['DATE', 'TIMESTAMP', 'TIMESTAMPTZ'] as const;
  const rank = (sql: string): number => instants.findIndex((instant) => instant === sql);
  if (rank(a.sql) < 0 || rank(b.sql) < 0) return mixed(integer(1), false, true);
  return temporal(instants[Math.max(rank(a.sql), rank(b.sql))] ?? 'TIMESTAMP');
}

/** The type of the numbers that values of a type may be, for exact arithmetic on a mixed column. */
export function numberWithin(type: SqlType): NumberType {
  if (isNumber(type)) return type;
  if (type.kind === 'mixed') return type.number;
  return type.kind === 'text' ? DOUBLE : integer(1);
}

/** The common type of several; the null type of none. */
export function commonType(types: readonly SqlType[]): SqlType {
  return types.reduce(commonOfTwo, NULL_TYPE);
}
