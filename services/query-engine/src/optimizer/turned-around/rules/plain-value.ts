import { constantValue } from '../../../logical/constant-value.ts';
import type { Expression } from '../../../logical/expression.ts';
import type { ComparisonWithConstant } from '../rule.ts';

/**
 * Whether an expression has, among others that are chosen from, the value that it has by itself: an attribute, NULL, or a
 * constant of the type that it is compared with. Another type may be what all are converted to.
 */
export function isPlainBeside(node: Expression, { value }: ComparisonWithConstant): boolean {
  if (node.kind === 'ColumnReference') return true;
  const constant = constantValue(node);
  if (constant === null) return false;
  return (
    constant.type === 'null' ||
    (constant.type === value.type && (value.type === 'text' || value.type === 'number'))
  );
}
