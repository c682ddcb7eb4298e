/**
 * What type a column has, by the values that were really read: it starts with the first page and only widens, so no
 * value is ever dropped or rounded because a sample was too small.
 */
import { remembered } from '@penstock/common/caching/remembered.ts';
import { TypeCode, typeBit, type ColumnBatch, type ColumnVector } from '../../dynamodb/column-batch.ts';
import type { Sliced } from '../../scheduling/sliced-work.ts';
import type { ColumnState } from '../../planning/page-position.ts';
import type { PhysicalPlan } from '../../planning/physical-plan.ts';
import { integerDigitsOf, parseNumber } from '../../logical/exact-number.ts';
import type { LogicalPlan } from '../../logical/plan.ts';
import { walkDeep } from '../../logical/visit.ts';
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

/** Longer texts are numbers that no exact type holds, or none. */
const NUMBER_TEXT_BYTES_MAX = 250;
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

const SPACE = 32;
const PLUS = 43;
const UNDERSCORE = 95;
const EXPONENTS: ReadonlySet<number | undefined> = new Set([69, 101]);

/** Whether there are but characters of a number, told by the bytes: most texts end the search at their first. */
function mayBeNumber(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = bytes[i] as number;
    if ((code >= ZERO && code <= NINE) || code === POINT || code === UNDERSCORE || code <= SPACE) continue;
    if (EXPONENTS.has(code) && i > start) continue;
    const isSign = code === MINUS || code === PLUS;
    const before = bytes[i - 1];
    if (!isSign || (i > start && !EXPONENTS.has(before) && (before as number) > SPACE)) return false;
  }
  return end > start && end - start <= NUMBER_TEXT_BYTES_MAX;
}

/** Widens `shape` by a text where it is a number, as it counts in arithmetic beside numbers. */
function widenByText(shape: NumberShape, bytes: Buffer, start: number, end: number): void {
  if (!mayBeNumber(bytes, start, end)) return;
  const text = bytes.toString('latin1', start, end).trim().replaceAll('_', '');
  if (parseNumber(text) !== null) widenParsed(shape, text);
}

const QUOTE = 34;
const BACKSLASH = 92;
const isDocument = (code: number): boolean => (DOCUMENTS & typeBit(code as TypeCode)) !== 0;

/** Widens by the numbers in a document, and by its texts that are numbers. */
function widenWithin(
  shape: NumberShape,
  texts: NumberShape,
  bytes: Buffer,
  start: number,
  end: number,
): void {
  for (let i = start; i < end;) {
    const code = bytes[i] as number;
    const from = i++;
    if (code === QUOTE) {
      while (bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
      widenByText(texts, bytes, from + 1, i++);
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      while (i < end && isInNumber(bytes[i] as number)) i++;
      widen(shape, bytes, from, i);
    }
  }
}

const isInNumber = (code: number): boolean =>
  (code >= ZERO && code <= NINE) || code === POINT || code === MINUS || code === PLUS || EXPONENTS.has(code);

/** Whether an expression looks into a document that no read does. */
const stepsIntoDocuments = remembered((plan: LogicalPlan): boolean => {
  let found = false;
  walkDeep(plan, {
    plan: ({ kind }) => void (found ||= kind === 'Unnest'),
    expression: (node) =>
      void (found ||=
        node.kind === 'DocumentAccess' || (node.kind === 'FunctionCall' && node.name === 'ELEMENT_AT')),
  });
  return found;
});

/** The two together: of a column of both. */
const joined = (a: NumberShape, b: NumberShape): NumberShape => ({
  integerDigits: Math.max(a.integerDigits, b.integerDigits),
  scale: Math.max(a.scale, b.scale),
  beyondInt64: a.beyondInt64 || b.beyondInt64,
});

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

/** `texts`: the shape of those texts that are numbers. `looksWithin`: what lies in documents has widened both. */
function inferType(seen: number, shape: NumberShape, texts: NumberShape, looksWithin: boolean): SqlType {
  const values = seen & ~(typeBit(TypeCode.MISSING) | typeBit(TypeCode.NULL));
  if (values === 0) return NULL_TYPE;
  const exact = exactType(shape);
  if (values === NUMBERS) return exact ?? mixed(DOUBLE, true);
  const only = CATEGORIES.find(({ bits }) => (values & ~bits) === 0);
  const hasDocuments = looksWithin && (values & DOCUMENTS) !== 0;
  if (only !== undefined && !hasDocuments) return only.type;
  const number = exactType(joined(shape, texts)) ?? DOUBLE;
  if (only !== undefined) return { kind: 'json', within: number };
  return hasDocuments ? { ...mixed(number), within: number } : mixed(number);
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
export function inferencesOf(
  { reads, startsBehind, statement }: PhysicalPlan,
  looksWithin = stepsIntoDocuments(statement.plan),
): readonly ColumnTypeInference[] {
  return (reads[0]?.columns ?? []).map((_, i) =>
    createColumnTypeInference(startsBehind?.columns[i] ?? null, looksWithin),
  );
}

/** `before`: of one that saw the values before these. `looksWithin`: whether it looks at the numbers in documents, too. */
export const createColumnTypeInference = (
  before: ColumnState | null = null,
  looksWithin = false,
): ColumnTypeInference => new TypeOfValues(before ?? [], looksWithin);

/** Of a read of a plan, from its beginning. */
export function freshInferences(plan: PhysicalPlan, columnCount: number): readonly ColumnTypeInference[] {
  const looksWithin = stepsIntoDocuments(plan.statement.plan);
  return Array.from({ length: columnCount }, () => createColumnTypeInference(null, looksWithin));
}

const numbersOf = ({ integerDigits, scale, beyondInt64 }: NumberShape): readonly number[] => [
  Math.min(integerDigits, TOO_MANY_DIGITS),
  Math.min(scale, TOO_MANY_DIGITS),
  beyondInt64 ? 1 : 0,
];
const SHAPE_NUMBERS = 3;

const shapeOf = ([integerDigits = 1, scale = 0, beyondInt64 = 0]: readonly number[]): NumberShape => ({
  integerDigits,
  scale,
  beyondInt64: beyondInt64 === 1,
});

class TypeOfValues implements ColumnTypeInference {
  type: SqlType;
  private seen: number;
  private readonly shape: NumberShape;
  private readonly texts: NumberShape;
  private readonly looksWithin: boolean;

  constructor(before: ColumnState, looksWithin: boolean) {
    this.seen = before[0] ?? 0;
    this.shape = shapeOf(before.slice(1));
    this.texts = shapeOf(before.slice(1 + SHAPE_NUMBERS));
    this.looksWithin = looksWithin;
    this.type = inferType(this.seen, this.shape, this.texts, looksWithin);
  }

  observe({ types, bytes, offsets, typesSeen }: ColumnVector): boolean {
    const { shape, texts } = this;
    this.seen |= typesSeen;
    if ((typesSeen & TEXTS) !== 0) {
      for (let row = 0; row < types.length; row++) {
        if (types[row] === TypeCode.S)
          widenByText(texts, bytes, offsets[row] as number, offsets[row + 1] as number);
      }
    }
    if ((typesSeen & NUMBERS) !== 0) {
      for (let row = 0; row < types.length; row++) {
        if (types[row] === TypeCode.N)
          widen(shape, bytes, offsets[row] as number, offsets[row + 1] as number);
      }
    }
    if (this.looksWithin && (typesSeen & DOCUMENTS) !== 0) {
      for (let row = 0; row < types.length; row++) {
        if (isDocument(types[row] as number))
          widenWithin(shape, texts, bytes, offsets[row] as number, offsets[row + 1] as number);
      }
    }
    const inferred = inferType(this.seen, shape, texts, this.looksWithin);
    if (sameType(inferred, this.type)) return false;
    this.type = inferred;
    return true;
  }

  state(): ColumnState {
    return [this.seen, ...numbersOf(this.shape), ...numbersOf(this.texts)];
  }
}
