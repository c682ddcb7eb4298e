/**
 * `ARRAY_CONTAINS(['a', 'b'], k)` says that `k` is one of these. It compares texts of JSON, so that whatever it takes for equal
 * is equal by value, too.
 */
import { elementsOf } from '../../../logical/build-expression.ts';
import { constantValue } from '../../../logical/constant-value.ts';
import type { Expression } from '../../../logical/expression.ts';
import type { TurnAroundRule } from '../rule.ts';

export const arrayContains: TurnAroundRule = Object.freeze({
  name: 'array-contains',
  condition: (node: Expression): Expression | null => {
    if (node.kind !== 'FunctionCall' || node.name !== 'ARRAY_CONTAINS') return null;
    const [list, operand] = node.arguments;
    const values = list === undefined ? null : elementsOf(list);
    if (values === null || operand === undefined || operand.kind === 'Row') return null;
    const known = values.map(constantValue);
    if (!known.every((value) => value?.type === 'text' || value?.type === 'number')) return null;
    return Object.freeze({ kind: 'InList', operand, values, negated: false });
  },
});
