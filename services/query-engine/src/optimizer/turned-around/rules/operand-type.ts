/** What the values of an expression are, for keys of the declared types. */
import { constantValue } from '../../../logical/constant-value.ts';
import type { Expression } from '../../../logical/expression.ts';
import { scalarNamed } from '../../../logical/functions/list.ts';
import type { TurnAroundContext } from '../rule.ts';

/** Whether an expression's values are texts and compare as such; false where that is not known. */
export function isText(node: Expression, context: TurnAroundContext): boolean {
  const value = constantValue(node);
  if (value !== null) return value.type === 'text';
  switch (node.kind) {
    case 'ColumnReference':
      return context.keyType(node) === 'text';
    case 'Cast':
      return node.sqlType === 'VARCHAR';
    case 'Arithmetic':
      // Bytes alone are joined as bytes.
      return node.operator === '||' && (isText(node.left, context) || isText(node.right, context));
    case 'FunctionCall':
      if (node.name === 'COALESCE') return node.arguments.every((one) => isText(one, context));
      if (node.name === 'NULLIF') return node.arguments.slice(0, 1).every((one) => isText(one, context));
      return scalarNamed(node.name).result === 'text';
    default:
      return false;
  }
}
