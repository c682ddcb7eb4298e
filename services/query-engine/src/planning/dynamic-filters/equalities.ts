/** Equalities in conditions, as pairs of a column and what it must equal. */
import type { Column, Expression } from '../../logical/expression.ts';

export interface ColumnEquality {
  readonly column: Column;
  readonly value: Expression;
}

function rowPairs(left: Expression, right: Expression): readonly (readonly [Expression, Expression])[] {
  if (left.kind !== 'Row' && right.kind !== 'Row') return [[left, right]];
  if (left.kind !== 'Row' || right.kind !== 'Row' || left.values.length !== right.values.length) return [];
  return left.values.flatMap((value, i) => {
    const other = right.values[i];
    return other === undefined ? [] : [[value, other] as const];
  });
}

/** What a conjunct says by `=`, each way round. */
export function equalitiesOf(conjunct: Expression): readonly (readonly [Expression, Expression])[] {
  if (conjunct.kind !== 'Comparison' || conjunct.operator !== '=') return [];
  return rowPairs(conjunct.left, conjunct.right).flatMap(([left, right]) => [
    [left, right],
    [right, left],
  ]);
}

/** Of columns. */
export function columnEqualities(conjunct: Expression): readonly ColumnEquality[] {
  return equalitiesOf(conjunct).flatMap(([side, value]) =>
    side.kind === 'ColumnReference' ? [{ column: side.column, value }] : [],
  );
}
