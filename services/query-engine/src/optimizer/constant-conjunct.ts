/** Conjuncts that bind a column to constants: `a = 1`, `a IN (1, 2)`. */
import { columnReference, comparison } from '../logical/build-expression.ts';
import { constantValue, isApproximate } from '../logical/constant-value.ts';
import type { Column, Expression, LiteralValue } from '../logical/expression.ts';
import { withFields } from '../logical/visit.ts';

export interface ConstantConjunct {
  readonly column: Column;
  readonly conjunct: Extract<Expression, { kind: 'Comparison' | 'InList' }>;
  readonly values: readonly LiteralValue[];
}

/** What a column may be bound to; null for what is no constant, and for NULL. */
function constantOf(node: Expression): LiteralValue | null {
  const value = constantValue(node);
  return value === null || value.type === 'null' || isApproximate(value) ? null : value;
}

/** The conjunct as one that binds a column to constants; null where it does not. */
export function constantConjunct(conjunct: Expression): ConstantConjunct | null {
  if (conjunct.kind === 'Comparison' && conjunct.operator === '=') {
    const [reference, other] =
      conjunct.left.kind === 'ColumnReference'
        ? [conjunct.left, conjunct.right]
        : [conjunct.right, conjunct.left];
    const value = constantOf(other);
    if (reference.kind !== 'ColumnReference' || value === null) return null;
    return { column: reference.column, conjunct, values: [value] };
  }
  if (conjunct.kind !== 'InList' || conjunct.negated || conjunct.operand.kind !== 'ColumnReference')
    return null;
  const values = conjunct.values.map(constantOf).filter((value) => value !== null);
  if (values.length < conjunct.values.length) return null;
  return { column: conjunct.operand.column, conjunct, values };
}

/** The same said of another column. */
export function constantOver({ conjunct }: ConstantConjunct, column: Column): Expression {
  const reference = columnReference(column);
  if (conjunct.kind === 'InList') return withFields(conjunct, { operand: reference });
  const constant = conjunct.left.kind === 'ColumnReference' ? conjunct.right : conjunct.left;
  return comparison('=', reference, constant, conjunct.pos);
}
