/**
 * What type a column has, by the values that were really read: it starts with the first page and only widens, so no
 * value is ever dropped or rounded because a sample was too small.
 */
import { TypeCode, typeBit, type ColumnBatch, type ColumnVector } from '../../dynamodb/column-batch.ts';
import type { Sliced } from '../../scheduling/sliced-work.ts';
import type { ColumnState } from '../../planning/page-position.ts';
import type { PhysicalPlan } from '../../planning/physical-plan.ts';
import { integerDigitsOf, parseNumber } from '../../logical/exact-number.ts';
import {
  BINARY,
  BOOLEAN,
  DOUBLE,
  EXACT_DIGITS_MAX,
  JSON_TYPE,
  NULL_TYPE,
  TEXT,
  integer,
  mixed,
  type NumberType,
  type SqlType,
} from '../../duckdb-sql/types/sql-type.ts';

const DOCUMENTS =
  typeBit(TypeCode.M) |
  typeBit(TypeCode.L) |
  typeBit(TypeCode.SS) |
  typeBit(TypeCode.NS) |
  typeBit(TypeCode.BS);
const NUMBERS = typeBit(TypeCode.N);
const TEXTS = typeBit(TypeCode.S);

/** Categories of values that share a column without being mixed. */
const CATEGORIES: readonly { readonly bits: number; readonly type: SqlType }[] = [
  { bits: TEXTS, type: TEXT },
  { bits: typeBit(TypeCode.BOOL), type: BOOLEAN },
  { bits: typeBit(TypeCode.B), type: BINARY },
  { bits: DOCUMENTS, type: JSON_TYPE },
];

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);
/** Digits that a 64-bit decimal holds. */
export const SHORT_DECIMAL_DIGITS = 18;
const BIGINT_DIGITS_MAX = 19;

export interface ColumnTypeInference {
  /** Takes the values in. Returns true when the type is not what it was. */
  observe(vector: ColumnVector): boolean;
  readonly type: SqlType;
  /** What it knows, for another one to go on with. */
  state(): ColumnState;
}

/** More than any type has. */
const TOO_MANY_DIGITS = 1_000;

/** Digits of the numbers so far. */
interface NumberShape {
  integerDigits: number;
  scale: number;
  /** A whole number beyond 64 bits, though it may have as few digits. */
  beyondInt64: boolean;
}

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;

/** Widens `shape` by a number. Plain digits are counted as they stand, everything else is parsed. */
function widen(shape: NumberShape, bytes: Buffer, start: number, end: number): void {
  const first = bytes[start] === MINUS ? start + 1 : start;
  let point = -1;
  for (let i = first; i < end; i++) {
    const code = bytes[i] as number;
    if (code >= ZERO && code <= NINE) continue;
    if (code === POINT && point < 0) point = i;
    else return widenParsed(shape, bytes.toString('latin1', start, end));
  }
  const integerDigits = (point < 0 ? end : point) - first;
  if (integerDigits >= BIGINT_DIGITS_MAX) return widenParsed(shape, bytes.toString('latin1', start, end));
  if (integerDigits > shape.integerDigits) shape.integerDigits = integerDigits;
  if (point >= 0 && end - point - 1 > shape.scale) shape.scale = end - point - 1;
}

function widenParsed(shape: NumberShape, text: string): void {
  const number = parseNumber(text);
  if (number === null) {
    shape.integerDigits = Infinity;
    return;
  }
  shape.integerDigits = Math.max(shape.integerDigits, integerDigitsOf(number));
  shape.scale = Math.max(shape.scale, number.scale);
  if (number.scale === 0 && (number.digits > INT64_MAX || number.digits < INT64_MIN))
    shape.beyondInt64 = true;
}

/** The exact type for numbers of a shape, or null where 38 digits are not enough. */
function exactType({ integerDigits, scale, beyondInt64 }: NumberShape): NumberType | null {
  if (integerDigits + scale > EXACT_DIGITS_MAX) return null;
  if (scale === 0) {
    return integerDigits <= BIGINT_DIGITS_MAX && !beyondInt64
      ? { kind: 'integer', sql: 'BIGINT', integerDigits }
      : { ...integer(integerDigits), sql: 'HUGEINT' };
  }
  const width = integerDigits + scale <= SHORT_DECIMAL_DIGITS ? SHORT_DECIMAL_DIGITS : EXACT_DIGITS_MAX;
  return { kind: 'decimal', width, scale, integerDigits };
}

function inferType(seen: number, shape: NumberShape): SqlType {
  const values = seen & ~(typeBit(TypeCode.MISSING) | typeBit(TypeCode.NULL));
  if (values === 0) return NULL_TYPE;
  const exact = exactType(shape);
  if (values === NUMBERS) return exact ?? mixed(DOUBLE, true);
  const only = CATEGORIES.find(({ bits }) => (values & ~bits) === 0);
  if (only !== undefined) return only.type;
  // Texts in the column may be numbers of any shape.
  return mixed((values & TEXTS) === 0 && exact !== null ? exact : DOUBLE);
}

/** True when values of one type are stored as the other is, and mean the same. */
function sameType(a: SqlType, b: SqlType): boolean {
  return a === b || (a.kind === b.kind && JSON.stringify(a) === JSON.stringify(b));
}

/** Takes a batch in, column by column; answers which columns' types are not what they were. */
export function* observeAll(
  inferences: readonly ColumnTypeInference[],
  { columns }: ColumnBatch,
): Sliced<number[]> {
  const changed: number[] = [];
  for (const [i, inference] of inferences.entries()) {
    const vector = columns[i];
    if (vector === undefined) continue;
    if (inference.observe(vector)) changed.push(i);
    yield;
  }
  return changed;
}

/** Of the columns of a plan's only read; they go on where a page before ended. */
export function inferencesOf({ reads, startsBehind }: PhysicalPlan): readonly ColumnTypeInference[] {
  return (reads[0]?.columns ?? []).map((_, i) => createColumnTypeInference(startsBehind?.columns[i] ?? null));
}

/** `before`: of one that saw the values before these. */
export const createColumnTypeInference = (before: ColumnState | null = null): ColumnTypeInference =>
  new TypeOfValues(before ?? []);

class TypeOfValues implements ColumnTypeInference {
  type: SqlType;
  private seen: number;
  private readonly shape: NumberShape;

  constructor([seen = 0, integerDigits = 1, scale = 0, beyondInt64 = 0]: ColumnState | readonly []) {
    this.seen = seen;
    this.shape = { integerDigits, scale, beyondInt64: beyondInt64 === 1 };
    this.type = inferType(seen, this.shape);
  }

  observe({ types, bytes, offsets, typesSeen }: ColumnVector): boolean {
    const { shape } = this;
    this.seen |= typesSeen;
    if ((typesSeen & NUMBERS) !== 0) {
      for (let row = 0; row < types.length; row++) {
        if (types[row] === TypeCode.N)
          widen(shape, bytes, offsets[row] as number, offsets[row + 1] as number);
      }
    }
    const inferred = inferType(this.seen, shape);
    if (sameType(inferred, this.type)) return false;
    this.type = inferred;
    return true;
  }

  state(): ColumnState {
    const { integerDigits, scale, beyondInt64 } = this.shape;
    return [
      this.seen,
      Math.min(integerDigits, TOO_MANY_DIGITS),
      Math.min(scale, TOO_MANY_DIGITS),
      beyondInt64 ? 1 : 0,
    ];
  }
}
