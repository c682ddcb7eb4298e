import type { TurnAroundRule } from '../rule.ts';
import { constantText, inSpans } from './text-conditions.ts';

const ONE = /^0*1(?:\.0*)?$/;

/** `STRPOS(k, 'A#') = 1`, `POSITION('A#' IN k) = 1`: the text begins so. Any other place says nothing of what is before it. */
export const foundAtStart: TurnAroundRule = Object.freeze({
  name: 'found-at-start',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'FunctionCall' || operator !== '=') return null;
    if (value.type !== 'number' || !ONE.test(value.text)) return null;
    const [first, second] = operand.arguments;
    const [whole, part] = operand.name === 'POSITION' ? [second, first] : [first, second];
    if (operand.name !== 'POSITION' && operand.name !== 'STRPOS') return null;
    const prefix = constantText(part);
    if (whole === undefined || prefix === null || prefix === '') return null;
    return inSpans(whole, [{ is: 'begins', text: prefix }], context);
  },
} satisfies TurnAroundRule);
