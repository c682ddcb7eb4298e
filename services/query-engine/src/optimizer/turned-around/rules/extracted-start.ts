import { constantValue } from '../../../logical/constant-value.ts';
import type { Expression } from '../../../logical/expression.ts';
import type { TurnAroundRule } from '../rule.ts';
import { PLAIN_OPTIONS, startOfMatch } from './regex-beginnings.ts';
import { constantText, inSpans, textOf } from './text-conditions.ts';

/**
 * `REGEXP_EXTRACT(k, '^[A-Z]+') op 'c'`: what is extracted from the start is what the text begins with, and the text is not
 * below that. It may be above all that is extracted: `<` says nothing. Nor does the empty text, which is extracted of texts
 * that do not match.
 */
export const extractedStart: TurnAroundRule = Object.freeze({
  name: 'extracted-start',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'FunctionCall' || operand.name !== 'REGEXP_EXTRACT') return null;
    const [whole, pattern, group, options] = operand.arguments;
    const text = textOf(value);
    if (whole === undefined || text === null || text === '' || operator.startsWith('<')) return null;
    if (options !== undefined && !PLAIN_OPTIONS.test(constantText(options) ?? 'unknown')) return null;
    const extracted = startOfMatch(constantText(pattern) ?? '');
    if (extracted === null || !extracted.includes(digitOf(group))) return null;
    return inSpans(whole, [{ is: operator === '=' ? 'begins' : operator, text }], context);
  },
} satisfies TurnAroundRule);

/** The group; all that matched where none is given. */
function digitOf(group: Expression | undefined): number {
  const value = group === undefined ? null : constantValue(group);
  if (group === undefined) return 0;
  return value?.type === 'number' && /^\d$/.test(value.text) ? Number(value.text) : -1;
}
