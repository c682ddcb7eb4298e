import { FLIPPED } from '../../../logical/comparison-operators.ts';
import { constantValue } from '../../../logical/constant-value.ts';
import type { ExactNumber } from '../../../logical/exact-number.ts';
import { comparedWithin, isShort, minus, negated, numberOf, plus, slackOf } from '../number-bounds.ts';
import type { TurnAroundRule } from '../rule.ts';
import { isNumeric, isOfPartitionKey } from '../value-kind.ts';

/**
 * `k + c op d`, `c + k`, `k - c`, `c - k`. Numbers of more than 38 digits in all are added as DOUBLEs: bounds are wider by what
 * these may be off. Of a partition key, an equality of few digits stays one, since it is found by nothing else: what would equal
 * it only because it was rounded is another number.
 */
export const numberSum: TurnAroundRule = Object.freeze({
  name: 'number-sum',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'Arithmetic' || (operand.operator !== '+' && operand.operator !== '-')) return null;
    const [left, right] = [constantValue(operand.left), constantValue(operand.right)];
    const constant = right ?? left;
    const inner = right === null ? operand.right : operand.left;
    const [c, d] = [constant === null ? null : numberOf(constant), numberOf(value)];
    if (c === null || d === null || !isNumeric(inner, context)) return null;
    const isFromConstant = right === null && operand.operator === '-';
    const bound = isFromConstant
      ? minus(c.number, d.number)
      : operand.operator === '+'
        ? minus(d.number, c.number)
        : plus(d.number, c.number);
    const numbers: readonly ExactNumber[] = [bound, c.number, d.number];
    const isExact =
      operator === '=' &&
      c.isExact &&
      d.isExact &&
      numbers.every(isShort) &&
      isOfPartitionKey(inner, context);
    const slack = isExact ? slackOf() : slackOf(...numbers);
    return comparedWithin(
      inner,
      isFromConstant ? FLIPPED[operator] : operator,
      minus(bound, slack),
      plus(bound, slack),
    );
  },
} satisfies TurnAroundRule);

/** `-k op d`. */
export const negation: TurnAroundRule = Object.freeze({
  name: 'negation',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'Negate' || !isNumeric(operand.operand, context)) return null;
    const number = numberOf(value);
    if (number === null) return null;
    const bound = negated(number.number);
    const slack = number.isExact ? slackOf() : slackOf(bound);
    return comparedWithin(operand.operand, FLIPPED[operator], minus(bound, slack), plus(bound, slack));
  },
} satisfies TurnAroundRule);
