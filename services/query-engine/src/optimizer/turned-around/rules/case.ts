/**
 * CASE and IF, `CASE WHEN k IS NULL THEN '' ELSE k END = 'a'`: the result of one of the branches passes, and the condition of
 * that branch is true. That those before it are not is left to the check of rows.
 */
import {
  and,
  comparison,
  isNeverTrue,
  isTrue,
  literal,
  TRUE_LITERAL,
} from '../../../logical/build-expression.ts';
import { constantValue } from '../../../logical/constant-value.ts';
import type { Expression } from '../../../logical/expression.ts';
import { isCondition } from '../../is-condition.ts';
import { asCase, type GivenCase } from '../../plain-case.ts';
import type { ComparisonWithConstant, TurnAroundRule } from '../rule.ts';
import { comparedOrTrue } from './compared-constants.ts';
import { isPlainBeside } from './plain-value.ts';

/** `passes`: what holds where a result passes. */
function anyBranch(
  { branches, otherwise }: GivenCase,
  passes: (result: Expression) => Expression,
): Expression {
  const taken = branches.map(({ when, then }) => {
    const passing = passes(then);
    if (isNeverTrue(passing)) return passing;
    return isTrue(passing) ? when : and([when, passing]);
  });
  const last = otherwise === null ? [] : [passes(otherwise)];
  const operands = [...taken, ...last].filter((one) => !isNeverTrue(one));
  return operands.some(isTrue)
    ? TRUE_LITERAL
    : Object.freeze({ kind: 'Or', operands: Object.freeze(operands) });
}

const resultsOf = ({ branches, otherwise }: GivenCase): readonly Expression[] => [
  ...branches.map(({ then }) => then),
  ...(otherwise === null ? [] : [otherwise]),
];

export const caseBranches: TurnAroundRule = Object.freeze({
  name: 'case',
  comparison: (given: ComparisonWithConstant): Expression | null => {
    const choice = asCase(given.operand);
    if (choice === null || !resultsOf(choice).every((one) => isPlainBeside(one, given))) return null;
    return anyBranch(choice, (result) => {
      const constant = constantValue(result);
      return constant === null
        ? comparison(given.operator, result, literal(given.value))
        : comparedOrTrue(constant, given);
    });
  },
  condition: (node: Expression): Expression | null => {
    const choice = asCase(node);
    return choice !== null && resultsOf(choice).every(isCondition)
      ? anyBranch(choice, (result) => result)
      : null;
  },
});
