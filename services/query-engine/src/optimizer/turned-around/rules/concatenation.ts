import { comparison, FALSE_LITERAL, literal } from '../../../logical/build-expression.ts';
import { constantValue } from '../../../logical/constant-value.ts';
import type { Expression } from '../../../logical/expression.ts';
import type { ComparisonWithConstant, TurnAroundContext, TurnAroundRule } from '../rule.ts';
import { asText, constantText, inSpans, textOf } from './text-conditions.ts';
import { beginningAsked } from './text-that-begins.ts';

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
 * stands before all of them decides nothing, where both have it; what stands behind them does. A column that is known to
 * equal a text counts as it, as `pk` in `pk || '#' || sk = 'A#7'` beside `pk = 'A'`.
 */
export const concatenation: TurnAroundRule = Object.freeze({
  name: 'concatenation',
  comparison({ operand, operator, value }, context) {
    const text = textOf(value);
    const ofConstants = joinedWithConstants(operand);
    const joined = ofConstants ?? joinedWithConstants(operand, (node) => knownText(node, context));
    if (text === null || joined === null) return null;
    const { before, after, isNullEmpty } = joined;
    const isEqual = operator === '=';
    const hasBoth =
      text.startsWith(before) && text.endsWith(after) && text.length >= before.length + after.length;
    // The text of a value of another type may be another than what it equals.
    if (!hasBoth) return isEqual && ofConstants !== null ? FALSE_LITERAL : null;
    if (!isEqual && after !== '') return null;
    const left = text.slice(before.length, text.length - after.length);
    // NULL would pass, where what is left is empty or anything below it does.
    if (isNullEmpty && (left === '' || isBelow(operator))) return null;
    return comparison(operator, asText(joined.operand, context), literal({ type: 'text', value: left }));
  },
  condition(given, context) {
    const asked = beginningAsked(given);
    const joined =
      asked === null ? null : joinedWithConstants(asked.operand, (node) => knownText(node, context));
    if (asked === null || joined === null || joined.after !== '') return null;
    const { is, text } = asked.span;
    const left = text.slice(joined.before.length);
    if (!text.startsWith(joined.before) || left === '') return null;
    return inSpans(joined.operand, [{ is, text: left }], context);
  },
} satisfies TurnAroundRule);

const isBelow = (operator: ComparisonWithConstant['operator']): boolean => operator.startsWith('<');

/** A constant; a text key that equals a text; what is joined of these. Null for any other expression. */
function knownText(node: Expression, context: TurnAroundContext): string | null {
  if (node.kind === 'ColumnReference') {
    if (context.keyType(node) !== 'text') return null;
    const [only, ...others] = context.beginnings(node.column) ?? [];
    return only?.isWhole === true && others.length === 0 ? only.text : null;
  }
  if (node.kind !== 'Arithmetic' || node.operator !== '||') return constantText(node);
  const [left, right] = [knownText(node.left, context), knownText(node.right, context)];
  return left === null || right === null ? null : left + right;
}

type TextOf = (node: Expression) => string | null;

/**
 * An operand that `||` or CONCAT joins with constants, or with what else has a known text; null where an expression is
 * anything else.
 */
export function joinedWithConstants(
  node: Expression,
  textOfPart: TextOf = constantText,
): JoinedWithConstants | null {
  return byOperator(node, textOfPart) ?? byFunction(node, textOfPart);
}

/** The outermost `||` that has a constant on one side. */
function byOperator(node: Expression, textOfPart: TextOf): JoinedWithConstants | null {
  if (node.kind !== 'Arithmetic' || node.operator !== '||') return null;
  const [before, after] = [textOfPart(node.left), textOfPart(node.right)];
  if (before !== null) return { before, operand: node.right, after: '', isNullEmpty: false };
  return after === null ? null : { before: '', operand: node.left, after, isNullEmpty: false };
}

/** CONCAT of one operand among constants. */
function byFunction(node: Expression, textOfPart: TextOf): JoinedWithConstants | null {
  if (node.kind !== 'FunctionCall' || node.name !== 'CONCAT') return null;
  const texts = node.arguments.map((one) => (constantValue(one)?.type === 'null' ? '' : textOfPart(one)));
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
