/** `x = 1 OR x = 2 OR …` as `x IN (1, 2, …)`: one test of each value, where each comparison takes DuckDB time to plan. */
import { expression } from '../logical/build-expression.ts';
import type { ColumnId, Expression } from '../logical/expression.ts';
import { MANY_EQUALITIES } from './limits.ts';

interface Equality {
  readonly column: Extract<Expression, { kind: 'ColumnReference' }>;
  readonly value: Extract<Expression, { kind: 'Literal' }>;
}

function equalityOf(node: Expression): Equality | null {
  if (node.kind !== 'Comparison' || node.operator !== '=') return null;
  const { left, right } = node;
  if (left.kind === 'ColumnReference' && right.kind === 'Literal') return { column: left, value: right };
  return right.kind === 'ColumnReference' && left.kind === 'Literal' ? { column: right, value: left } : null;
}

/** Operands of an OR that say the same. */
export function gatherEqualities(operands: readonly Expression[]): readonly Expression[] {
  if (operands.length < MANY_EQUALITIES) return operands;
  const byColumn = new Map<ColumnId, Equality[]>();
  for (const operand of operands) {
    const equality = equalityOf(operand);
    if (equality === null) continue;
    const { id } = equality.column.column;
    const found = byColumn.get(id);
    if (found === undefined) byColumn.set(id, [equality]);
    else found.push(equality);
  }
  const isMany = (id: ColumnId): boolean => (byColumn.get(id)?.length ?? 0) >= MANY_EQUALITIES;
  const others = operands.filter((operand) => {
    const equality = equalityOf(operand);
    return equality === null || !isMany(equality.column.column.id);
  });
  const lists = [...byColumn.values()].flatMap((equalities) => {
    const [first] = equalities;
    if (first === undefined || !isMany(first.column.column.id)) return [];
    const values = equalities.map(({ value }) => value);
    return [expression({ kind: 'InList', operand: first.column, values, negated: false })];
  });
  return [...lists, ...others];
}
