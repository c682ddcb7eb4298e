import { comparison, literal } from '../../../logical/build-expression.ts';
import type { TurnAroundRule } from '../rule.ts';

/** `NULLIF(k, c) op d`: where it is not NULL, it is `k`. */
export const nullIf: TurnAroundRule = Object.freeze({
  name: 'null-if',
  comparison({ operand, operator, value }) {
    if (operand.kind !== 'FunctionCall' || operand.name !== 'NULLIF') return null;
    const [whole] = operand.arguments;
    return whole === undefined ? null : comparison(operator, whole, literal(value));
  },
} satisfies TurnAroundRule);
