import { FALSE_LITERAL, TRUE_LITERAL } from '../../../logical/build-expression.ts';
import type { Expression, LiteralValue } from '../../../logical/expression.ts';
import { compared } from '../../plain-case.ts';
import type { ComparisonWithConstant } from '../rule.ts';

/** A constant in the operand's place; TRUE where nobody knows. */
export function comparedOrTrue(constant: LiteralValue, given: ComparisonWithConstant): Expression {
  return compared(constant, given.operator, given.value) === false ? FALSE_LITERAL : TRUE_LITERAL;
}
