/**
 * Predicates that can be checked on the cells as they were read, without DuckDB: comparisons of a column with a
 * constant, and IS NULL. By value, as the residual query would: see `duckdb-sql/comparison.ts`.
 */
import { TypeCode } from '../dynamodb/column-batch.ts';
import { FLIPPED, holdsOf } from '../logical/comparison-operators.ts';
import { constantValue, isApproximate } from '../logical/constant-value.ts';
import type { ColumnId, Expression, LiteralValue } from '../logical/expression.ts';
import { compareNumbers, parseNumber, printNumber } from '../logical/exact-number.ts';

/** A cell: its type code and text, as in a ColumnVector. */
export interface Cell {
  readonly type: number;
  readonly text: string | null;
}

export type RowCheck = (cellOf: (position: number) => Cell) => boolean;

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/**
 * Three-way comparison of a cell with a constant; null where only DuckDB should say. NaN: neither equals, precedes nor
 * follows the other.
 */
function compareCell({ type, text }: Cell, value: LiteralValue): number | null {
  if (text === null) return null;
  if (value.type === 'text' && type === TypeCode.S) return byBytes(text, value.value);
  if (value.type === 'number' && type === TypeCode.N) {
    const [a, b] = [parseNumber(text), parseNumber(value.text)];
    return a === null || b === null ? null : compareNumbers(a, b);
  }
  return null;
}

/** True when a column's cells, of this one type, can be checked against the constant. */
function fits(value: LiteralValue, type: 'S' | 'N' | null): boolean {
  return (
    (value.type === 'text' && type === 'S') ||
    (value.type === 'number' && !isApproximate(value) && type === 'N' && parseNumber(value.text) !== null)
  );
}

/** What is known of a column: its place among the read's, and its type where every item must have that one. */
export interface CheckedColumn {
  readonly position: number;
  readonly type: 'S' | 'N' | null;
}

/** The check of a conjunct; null: leave it to DuckDB. */
export function rowCheck(
  predicate: Expression,
  columnOf: (id: ColumnId) => CheckedColumn | null,
): RowCheck | null {
  if (predicate.kind === 'IsNull' && predicate.operand.kind === 'ColumnReference') {
    const column = columnOf(predicate.operand.column.id);
    if (column === null) return null;
    const { negated } = predicate;
    return (cellOf) => (cellOf(column.position).text === null) !== negated;
  }
  if (predicate.kind !== 'Comparison') return null;
  if (predicate.operator === 'IS DISTINCT FROM' || predicate.operator === 'IS NOT DISTINCT FROM') return null;
  const { left, right } = predicate;
  const [reference, literal, operator] =
    left.kind === 'ColumnReference'
      ? [left, right, predicate.operator]
      : [right, left, FLIPPED[predicate.operator]];
  const value = constantValue(literal);
  if (reference.kind !== 'ColumnReference' || value === null) return null;
  const column = columnOf(reference.column.id);
  if (column === null || !fits(value, column.type)) return null;
  return (cellOf) => {
    const sign = compareCell(cellOf(column.position), value);
    return sign !== null && holdsOf(operator, sign);
  };
}

/** A number's text as JSON shows it. */
export function numberJson(text: string): string {
  const number = parseNumber(text);
  return number === null ? JSON.stringify(Number(text)) : printNumber(number);
}
