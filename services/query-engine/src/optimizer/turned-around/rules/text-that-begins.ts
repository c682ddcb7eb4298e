import { likePrefix } from '../../../logical/like-prefix.ts';
import type { Expression } from '../../../logical/expression.ts';
import type { TurnAroundRule } from '../rule.ts';
import { constantText, inSpans, type TextSpan } from './text-conditions.ts';

/**
 * `STARTS_WITH(k, 'A#')`, and LIKE of what is no column itself: the text begins so. Not where upper and lower case are the
 * same, nor for a pattern that begins with a wildcard.
 */
export const textThatBegins: TurnAroundRule = Object.freeze({
  name: 'text-that-begins',
  condition(given, context) {
    const asked = beginningAsked(given);
    return asked === null ? null : inSpans(asked.operand, [asked.span], context);
  },
} satisfies TurnAroundRule);

/** What an operand has to begin with, or to be, to pass a condition: never the empty text. Null where that is not asked. */
export function beginningAsked(
  given: Expression,
): { readonly operand: Expression; readonly span: TextSpan } | null {
  if (given.kind === 'Like') return ofLike(given);
  if (given.kind !== 'FunctionCall' || given.name !== 'STARTS_WITH') return null;
  const [operand, prefix] = [given.arguments[0], constantText(given.arguments[1])];
  if (operand === undefined || prefix === null || prefix === '') return null;
  return { operand, span: { is: 'begins', text: prefix } };
}

function ofLike({
  operand,
  pattern,
  escape,
  caseInsensitive,
  negated,
}: Extract<Expression, { kind: 'Like' }>): ReturnType<typeof beginningAsked> {
  const escapedBy = escape === null ? undefined : constantText(escape);
  const text = constantText(pattern);
  if (caseInsensitive || negated || text === null || escapedBy === null) return null;
  const { prefix, rest } = likePrefix(text, escapedBy);
  return prefix === '' ? null : { operand, span: { is: rest === '' ? '=' : 'begins', text: prefix } };
}
