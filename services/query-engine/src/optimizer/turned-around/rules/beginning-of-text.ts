import { comparison, literal } from '../../../logical/build-expression.ts';
import type { TurnAroundRule } from '../rule.ts';
import { asText, constantCount, inSpans, textOf } from './text-conditions.ts';
import { spansOfBeginning } from './text-spans.ts';

/**
 * `LEFT(k, 8) op 'c'` and `SUBSTRING(k, 1, 8)` say which texts `k` begins with, or between which it is. Not for a negative
 * length, which counts from the end; nor for SUBSTRING from another place, before which anything may stand.
 */
export const beginningOfText: TurnAroundRule = Object.freeze({
  name: 'beginning-of-text',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'FunctionCall') return null;
    const [whole, ...rest] = operand.arguments;
    if (operand.name === 'SUBSTRING' && constantCount(rest[0]) === 1) rest.shift();
    else if (operand.name !== 'LEFT') return null;
    const text = textOf(value);
    if (text === null || whole === undefined) return null;
    if (rest.length === 0)
      return comparison(operator, asText(whole, context), literal({ type: 'text', value: text }));
    const count = constantCount(rest[0]);
    const spans = count === null ? null : spansOfBeginning(operator, text, count);
    return spans === null ? null : inSpans(whole, spans, context);
  },
} satisfies TurnAroundRule);
