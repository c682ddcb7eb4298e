import { dynamoValidation } from '../../errors.ts';
import { EXPRESSION_BYTES_MAX, EXPRESSION_IN_OPERANDS_MAX, EXPRESSION_OPERATORS_MAX } from '../../limits.ts';
import type { Condition } from '../expression/condition.ts';

/** Refuses an expression above 4 KB. `parameter` is the request's member that holds it. */
export function checkExpressionSize(parameter: string, expression: string): void {
  const bytes = Buffer.byteLength(expression);
  if (bytes > EXPRESSION_BYTES_MAX)
    throw dynamoValidation(
      `Invalid ${parameter}: Expression size has exceeded the maximum allowed size; expression size: ${bytes}`,
    );
}

/** Refuses more than 300 operators, and IN with more than 100 operands. */
export function checkConditionCaps(parameter: string, condition: Condition): void {
  if (condition.operatorCount > EXPRESSION_OPERATORS_MAX)
    throw dynamoValidation(
      `Invalid ${parameter}: The expression contains more operators than the maximum allowed; operator count: ${condition.operatorCount}`,
    );
  for (const { operator, operands } of condition.predicates)
    if (operator === 'IN' && operands.length - 1 > EXPRESSION_IN_OPERANDS_MAX)
      throw dynamoValidation(
        `Invalid ${parameter}: The IN operator is provided with too many operands; number of operands: ${operands.length - 1}`,
      );
}
