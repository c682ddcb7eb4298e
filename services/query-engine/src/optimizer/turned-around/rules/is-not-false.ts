/**
 * `(k = 'a') IS NOT FALSE` says that `k` is 'a' or missing, and `(k <> 'a') IS NOT TRUE` the same. Only of conditions that are
 * NULL for no other reason than that an attribute is missing.
 */
import { constantValue } from '../../../logical/constant-value.ts';
import { not } from '../../../logical/build-expression.ts';
import type { Expression } from '../../../logical/expression.ts';
import type { TurnAroundRule } from '../rule.ts';

/** The attributes without one of which the condition may be NULL; null where it may be NULL besides. */
function attributesNeeded(node: Expression): readonly Expression[] | null {
  switch (node.kind) {
    case 'ColumnReference':
      return [node];
    case 'Comparison':
      return node.operator.startsWith('IS ') ? [] : all([node.left, node.right]);
    case 'Between':
      return all([node.operand, node.low, node.high]);
    case 'InList':
      return all([node.operand, ...node.values]);
    case 'And':
    case 'Or':
      return all(node.operands);
    case 'Not':
      return attributesNeeded(node.operand);
    case 'IsNull':
    case 'IsTruth':
      return [];
    default: {
      const value = constantValue(node);
      return value?.type === 'text' || value?.type === 'number' ? [] : null;
    }
  }
}

function all(nodes: readonly Expression[]): readonly Expression[] | null {
  const parts = nodes.map(attributesNeeded);
  return parts.every((part) => part !== null) ? parts.flat() : null;
}

export const isNotFalse: TurnAroundRule = Object.freeze({
  name: 'is-not-false',
  condition: (node: Expression): Expression | null => {
    if (node.kind !== 'IsTruth' || !node.negated) return null;
    const needed = attributesNeeded(node.operand);
    if (needed === null) return null;
    const missing = needed.map((operand): Expression => ({ kind: 'IsNull', operand, negated: false }));
    const holds = node.value ? not(node.operand) : node.operand;
    return Object.freeze({ kind: 'Or', operands: Object.freeze([holds, ...missing]) });
  },
});
