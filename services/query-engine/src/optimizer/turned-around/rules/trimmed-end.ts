import type { TurnAroundRule } from '../rule.ts';
import { inSpans, textOf } from './text-conditions.ts';

/**
 * `RTRIM(k) op 'c'`: the text begins with what is left of it, and is not below that. It may be above all that is left:
 * `<` says nothing. Nor does TRIM, which takes away the beginning.
 */
export const trimmedEnd: TurnAroundRule = Object.freeze({
  name: 'trimmed-end',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'FunctionCall' || operand.name !== 'RTRIM') return null;
    const [whole] = operand.arguments;
    const text = textOf(value);
    if (whole === undefined || text === null || text === '' || operator.startsWith('<')) return null;
    return inSpans(whole, [{ is: operator === '=' ? 'begins' : operator, text }], context);
  },
} satisfies TurnAroundRule);
