/** Conjuncts that say of a column of whole numbers, from one on, how great it is at most. */
import type { ColumnId, Expression } from '../../logical/expression.ts';
import { constantValue } from '../../logical/constant-value.ts';

export interface Bound {
  readonly id: ColumnId;
  /** One at least. */
  readonly most: number;
}

/** The greatest whole number that is not above the constant, or below it where that is not to be reached. */
function mostUpTo(constant: Expression, mayEqual: boolean): number | null {
  const value = constantValue(constant);
  if (value?.type !== 'number') return null;
  const number = Number(value.text);
  const most = mayEqual ? Math.floor(number) : Math.ceil(number) - 1;
  return Number.isSafeInteger(most) && most >= 1 ? most : null;
}

function boundOf(operand: Expression, most: number | null): Bound | null {
  return operand.kind === 'ColumnReference' && most !== null ? { id: operand.column.id, most } : null;
}

/** Null for any other conjunct, and where no row passes it. */
export function mostOf(conjunct: Expression): Bound | null {
  switch (conjunct.kind) {
    case 'Comparison': {
      const { operator, left, right } = conjunct;
      switch (operator) {
        case '=':
          return boundOf(left, mostUpTo(right, true)) ?? boundOf(right, mostUpTo(left, true));
        case '<':
        case '<=':
          return boundOf(left, mostUpTo(right, operator === '<='));
        case '>':
        case '>=':
          return boundOf(right, mostUpTo(left, operator === '>='));
        default:
          return null;
      }
    }
    case 'Between':
      return conjunct.negated ? null : boundOf(conjunct.operand, mostUpTo(conjunct.high, true));
    case 'InList': {
      if (conjunct.negated) return null;
      const most = conjunct.values.map((value) => mostUpTo(value, true));
      return most.every((one) => one !== null) ? boundOf(conjunct.operand, Math.max(...most)) : null;
    }
    default:
      return null;
  }
}
