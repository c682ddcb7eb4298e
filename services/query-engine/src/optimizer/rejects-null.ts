/** What conditions say of NULL: by SQL's rules a comparison with it is never true. */
import type { ColumnId, Expression } from '../logical/expression.ts';

type Columns = ReadonlySet<ColumnId>;

/** True when the value is surely NULL where all these columns are. */
export function isNullWith(node: Expression, columns: Columns): boolean {
  switch (node.kind) {
    case 'ColumnReference':
      return columns.has(node.column.id);
    case 'Arithmetic':
      // A text joined with NULL is as the statement's writer has it.
      if (node.operator === '||') return false;
      return isNullWith(node.left, columns) || isNullWith(node.right, columns);
    case 'Negate':
    case 'BitwiseNot':
    case 'Cast':
    case 'DocumentAccess':
      return isNullWith(node.operand, columns);
    default:
      return false;
  }
}

/** True when the condition surely is not true where all these columns are NULL. */
export function rejectsNull(condition: Expression, columns: Columns): boolean {
  const isNull = (node: Expression): boolean => isNullWith(node, columns);
  switch (condition.kind) {
    case 'ColumnReference':
      return isNull(condition);
    case 'Comparison':
      if (condition.operator.startsWith('IS ')) return false;
      return isNull(condition.left) || isNull(condition.right);
    case 'IsNull':
      return condition.negated && isNull(condition.operand);
    case 'Between':
    case 'InList':
    case 'Like':
      return isNull(condition.operand);
    case 'InSubquery':
      return !condition.negated && isNull(condition.operand);
    case 'QuantifiedComparison':
      return condition.quantifier === 'ANY' && isNull(condition.operand);
    case 'Not':
      return condition.operand.kind === 'Comparison' && rejectsNull(condition.operand, columns);
    case 'And':
      return condition.operands.some((operand) => rejectsNull(operand, columns));
    case 'Or':
      return condition.operands.every((operand) => rejectsNull(operand, columns));
    default:
      return false;
  }
}
