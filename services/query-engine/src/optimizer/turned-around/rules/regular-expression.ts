import type { TurnAroundRule } from '../rule.ts';
import { PLAIN_OPTIONS, regexBeginnings } from './regex-beginnings.ts';
import { constantText, inSpans } from './text-conditions.ts';

/** `REGEXP_MATCHES(k, '^A#')`, which `~` and SIMILAR TO are, too: the text begins with what the pattern begins with. */
export const regularExpression: TurnAroundRule = Object.freeze({
  name: 'regular-expression',
  condition(given, context) {
    if (given.kind !== 'FunctionCall' || given.name !== 'REGEXP_MATCHES') return null;
    const [whole, pattern, options] = given.arguments;
    const text = constantText(pattern);
    if (whole === undefined || text === null) return null;
    if (options !== undefined && !PLAIN_OPTIONS.test(constantText(options) ?? 'unknown')) return null;
    const beginnings = regexBeginnings(text);
    if (beginnings === null) return null;
    return inSpans(
      whole,
      beginnings.map(({ text: beginning, isWhole }) => ({ is: isWhole ? '=' : 'begins', text: beginning })),
      context,
    );
  },
} satisfies TurnAroundRule);
