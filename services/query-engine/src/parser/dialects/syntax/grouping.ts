import { NoOfferError } from '../no-offer.ts';
import { closingOf } from '../source/brackets.ts';
import { isAt, type SourceToken } from '../source/source-token.ts';
import type { SyntaxRule } from './rule.ts';

/** What ends a chain of operators, AND and OR among them: NOT, AND and OR bind alike everywhere, looser than all others. */
const ENDS = new Set(
  (
    'SELECT DISTINCT ALL FROM WHERE GROUP ORDER BY HAVING QUALIFY WINDOW LIMIT OFFSET FETCH ON USING JOIN INNER LEFT ' +
    'RIGHT FULL CROSS OUTER UNION INTERSECT EXCEPT MINUS WITH AS AND OR NOT CASE WHEN THEN ELSE TOP INTERVAL OVER ' +
    'SEPARATOR PARTITION ROWS RANGE VALUES , ; && XOR'
  ).split(' '),
);
const ARITHMETIC = new Set(['+', '-', '*', '/', '%', 'DIV', 'MOD']);
/** Each system binds these in its own way, among each other and beside arithmetic. */
const OF_THEIR_OWN = new Set(['||', '&', '|', '^', '<<', '>>']);
const COMPARISONS = new Set(
  '= == <> != < <= > >= !< !> <=> IS IN LIKE ILIKE BETWEEN RLIKE REGEXP SIMILAR'.split(' '),
);
const EXPRESSIONS = new Set(['RLIKE', 'REGEXP']);

/**
 * Refuses chains of operators without parentheses that dialects group in ways of their own, so that what is written in
 * the same order has the same grouping. A sign, then products, sums, one comparison, NOT, AND, OR: on these all agree.
 */
export const checkGrouping: SyntaxRule = (tokens, { pipesAreOr }) => {
  let chain: string[] = [];
  let isInBetween = false;
  const end = (): void => {
    checkChain(chain);
    chain = [];
  };
  const walk = (from: number, to: number): void => {
    end();
    for (let at = from; at < to; at++) {
      const upper = tokens[at]?.upper ?? '';
      if (upper === '(' || upper === '[') {
        const outer = chain;
        const outerBetween = isInBetween;
        const closing = closingOf(tokens, at);
        chain = [];
        isInBetween = false;
        walk(at + 1, closing);
        chain = outer;
        isInBetween = outerBetween;
        at = closing;
      } else if (upper === 'AND' && isInBetween) isInBetween = false;
      else if (isEnd(tokens, at, upper, pipesAreOr)) end();
      else if (isOperator(tokens, at, upper)) {
        isInBetween ||= upper === 'BETWEEN';
        chain.push(upper);
      }
    }
    end();
  };
  walk(0, tokens.length);
  return tokens;
};

function isEnd(tokens: readonly SourceToken[], at: number, upper: string, pipesAreOr: boolean): boolean {
  if (upper === '||') return pipesAreOr;
  // `IS NOT` and `NOT IN` are of one comparison.
  const isOfOne =
    upper === 'NOT' && (isAt(tokens, at - 1, 'IS') || COMPARISONS.has(tokens[at + 1]?.upper ?? ''));
  // `IS DISTINCT FROM` is, too.
  const isOfDistinct =
    (upper === 'DISTINCT' || upper === 'FROM') && [1, 2, 3].some((back) => isAt(tokens, at - back, 'IS'));
  const isCall = isAt(tokens, at + 1, '(') && (upper === 'LEFT' || upper === 'RIGHT');
  return ENDS.has(upper) && !isOfOne && !isOfDistinct && !isCall;
}

function isOperator(tokens: readonly SourceToken[], at: number, upper: string): boolean {
  if (upper === 'MOD') return !isAt(tokens, at + 1, '(');
  return ARITHMETIC.has(upper) || OF_THEIR_OWN.has(upper) || COMPARISONS.has(upper);
}

function checkChain(chain: readonly string[]): void {
  const own = new Set(chain.filter((operator) => OF_THEIR_OWN.has(operator)));
  const hasArithmetic = chain.some((operator) => ARITHMETIC.has(operator));
  const comparisons = chain.filter((operator) => COMPARISONS.has(operator));
  const isUnsure =
    own.size > 1 ||
    (own.size === 1 && (hasArithmetic || chain.some((operator) => EXPRESSIONS.has(operator)))) ||
    comparisons.length > 1;
  if (isUnsure) throw new NoOfferError('operators that dialects group in ways of their own');
}
