import { likePrefix } from '../../../logical/like-prefix.ts';
import type { Expression } from '../../../logical/expression.ts';
import type { TurnAroundContext, TurnAroundRule } from '../rule.ts';
import { constantText, inSpans } from './text-conditions.ts';

/**
 * `STARTS_WITH(k, 'A#')`, and LIKE of what is no column itself: the text begins so. Not where upper and lower case are the
 * same, nor for a pattern that begins with a wildcard.
 */
export const textThatBegins: TurnAroundRule = Object.freeze({
  name: 'text-that-begins',
  condition(given, context) {
    if (given.kind === 'Like') return ofLike(given, context);
    if (given.kind !== 'FunctionCall' || given.name !== 'STARTS_WITH') return null;
    const [operand, prefix] = [given.arguments[0], constantText(given.arguments[1])];
    if (operand === undefined || prefix === null || prefix === '') return null;
    return inSpans(operand, [{ is: 'begins', text: prefix }], context);
  },
} satisfies TurnAroundRule);

function ofLike(
  { operand, pattern, escape, caseInsensitive, negated }: Extract<Expression, { kind: 'Like' }>,
  context: TurnAroundContext,
): Expression | null {
  const escapedBy = escape === null ? undefined : constantText(escape);
  const text = constantText(pattern);
  if (caseInsensitive || negated || text === null || escapedBy === null) return null;
  const { prefix, rest } = likePrefix(text, escapedBy);
  if (prefix === '') return null;
  return inSpans(operand, [{ is: rest === '' ? '=' : 'begins', text: prefix }], context);
}
