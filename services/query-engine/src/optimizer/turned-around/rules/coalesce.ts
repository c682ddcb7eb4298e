/** `COALESCE(k, '') = 'a'` says that `k` is 'a': where it is missing, the constant is compared, and does not pass. */
import {
  and,
  comparison,
  FALSE_LITERAL,
  isNeverTrue,
  isTrue,
  literal,
} from '../../../logical/build-expression.ts';
import { constantValue } from '../../../logical/constant-value.ts';
import type { Expression } from '../../../logical/expression.ts';
import type { ComparisonWithConstant, TurnAroundRule } from '../rule.ts';
import { comparedOrTrue } from './compared-constants.ts';
import { isPlainBeside } from './plain-value.ts';

/** What holds where the first of these that is not NULL passes. */
function firstPasses(candidates: readonly Expression[], given: ComparisonWithConstant): Expression {
  const [first, ...others] = candidates;
  if (first === undefined) return FALSE_LITERAL;
  const constant = constantValue(first);
  if (constant?.type === 'null') return firstPasses(others, given);
  if (constant !== null) return comparedOrTrue(constant, given);
  const own = comparison(given.operator, first, literal(given.value));
  const rest = firstPasses(others, given);
  if (isNeverTrue(rest)) return own;
  const missing: Expression = Object.freeze({ kind: 'IsNull', operand: first, negated: false });
  const otherwise = isTrue(rest) ? missing : and([missing, rest]);
  return Object.freeze({ kind: 'Or', operands: Object.freeze([own, otherwise]) });
}

export const coalesce: TurnAroundRule = Object.freeze({
  name: 'coalesce',
  comparison: (given: ComparisonWithConstant): Expression | null => {
    const { operand } = given;
    if (operand.kind !== 'FunctionCall' || operand.name !== 'COALESCE') return null;
    return operand.arguments.every((one) => isPlainBeside(one, given))
      ? firstPasses(operand.arguments, given)
      : null;
  },
});
