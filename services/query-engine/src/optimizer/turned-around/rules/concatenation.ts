import { comparison, FALSE_LITERAL, literal } from '../../../logical/build-expression.ts';
import { constantValue } from '../../../logical/constant-value.ts';
import type { Expression } from '../../../logical/expression.ts';
import type { ComparisonWithConstant, TurnAroundRule } from '../rule.ts';
import { asText, constantText, textOf } from './text-conditions.ts';

/** What stands between constants. */
export interface JoinedWithConstants {
  readonly before: string;
  readonly operand: Expression;
  readonly after: string;
  /** Whether it counts as empty where it is NULL. */
  readonly isNullEmpty: boolean;
}

/**
 * `'A#' || k || '#x' = 'A#7#x'`: `k` is what remains between the constants, or nothing equals. In the order of texts what
 * stands before all of them decides nothing, where both have it; what stands behind them does.
 */
export const concatenation: TurnAroundRule = Object.freeze({
  name: 'concatenation',
  comparison({ operand, operator, value }, context) {
    const text = textOf(value);
    const joined = joinedWithConstants(operand);
    if (text === null || joined === null) return null;
    const { before, after, isNullEmpty } = joined;
    const isEqual = operator === '=';
    const hasBoth =
      text.startsWith(before) && text.endsWith(after) && text.length >= before.length + after.length;
    if (!hasBoth) return isEqual ? FALSE_LITERAL : null;
    if (!isEqual && after !== '') return null;
    const left = text.slice(before.length, text.length - after.length);
    // NULL would pass, where what is left is empty or anything below it does.
    if (isNullEmpty && (left === '' || isBelow(operator))) return null;
    return comparison(operator, asText(joined.operand, context), literal({ type: 'text', value: left }));
  },
} satisfies TurnAroundRule);

const isBelow = (operator: ComparisonWithConstant['operator']): boolean => operator.startsWith('<');

/** An operand that `||` or CONCAT joins with constants; null where an expression is anything else. */
export function joinedWithConstants(node: Expression): JoinedWithConstants | null {
  return byOperator(node) ?? byFunction(node);
}

/** The outermost `||` that has a constant on one side. */
function byOperator(node: Expression): JoinedWithConstants | null {
  if (node.kind !== 'Arithmetic' || node.operator !== '||') return null;
  const [before, after] = [constantText(node.left), constantText(node.right)];
  if (before !== null) return { before, operand: node.right, after: '', isNullEmpty: false };
  return after === null ? null : { before: '', operand: node.left, after, isNullEmpty: false };
}

/** CONCAT of one operand among constants. */
function byFunction(node: Expression): JoinedWithConstants | null {
  if (node.kind !== 'FunctionCall' || node.name !== 'CONCAT') return null;
  const texts = node.arguments.map((one) => (constantValue(one)?.type === 'null' ? '' : constantText(one)));
  const at = texts.indexOf(null);
  const operand = node.arguments[at];
  if (operand === undefined || texts.lastIndexOf(null) !== at) return null;
  return {
    before: texts.slice(0, at).join(''),
    operand,
    after: texts.slice(at + 1).join(''),
    isNullEmpty: true,
  };
}
