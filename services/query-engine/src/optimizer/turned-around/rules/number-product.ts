import { FLIPPED } from '../../../logical/comparison-operators.ts';
import { constantValue } from '../../../logical/constant-value.ts';
import type { Expression } from '../../../logical/expression.ts';
import {
  absolute,
  comparedWithin,
  isShort,
  minus,
  numberOf,
  over,
  plus,
  powerOfTen,
  slackOf,
  times,
} from '../number-bounds.ts';
import type { TurnAroundRule } from '../rule.ts';
import { isNumeric, isOfPartitionKey } from '../value-kind.ts';

type Number = NonNullable<ReturnType<typeof numberOf>>;

interface Scaled {
  readonly inner: Expression;
  readonly by: Number;
}

/** A number and the constant, not zero, that it is multiplied with; null where there is none. */
function factorOf(left: Expression, right: Expression): Scaled | null {
  const [a, b] = [constantValue(left), constantValue(right)];
  const constant = b ?? a;
  const by = constant === null ? null : numberOf(constant);
  return by === null || by.number.digits === 0n ? null : { inner: b === null ? right : left, by };
}

/**
 * `k * c op d`, `c * k`, with `c` not zero, which turns the comparison where it is below: `k op d / c`. As of sums, bounds are
 * wider by what DOUBLEs may be off.
 */
export const numberProduct: TurnAroundRule = Object.freeze({
  name: 'number-product',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'Arithmetic' || operand.operator !== '*') return null;
    const scaled = factorOf(operand.left, operand.right);
    const d = numberOf(value);
    if (scaled === null || d === null || !isNumeric(scaled.inner, context)) return null;
    const { inner, by } = scaled;
    const bound = over(d.number, by.number);
    const isWhole =
      operator === '=' &&
      by.isExact &&
      d.isExact &&
      [bound, by.number, d.number].every(isShort) &&
      minus(times(bound, by.number), d.number).digits === 0n &&
      isOfPartitionKey(inner, context);
    const slack = isWhole ? slackOf() : slackOf(bound);
    const turned = by.number.digits < 0n ? FLIPPED[operator] : operator;
    return comparedWithin(inner, turned, minus(bound, slack), plus(bound, slack));
  },
} satisfies TurnAroundRule);

/** Quotients have so many digits after the point at least, the last one rounded (duckdb-sql/exact-quotient.ts). */
const QUOTIENT_DIGITS = 15;

/** What the whole part of a quotient is cut by, and what rounding its last digit moves it by. */
const CUT_BY = powerOfTen(0);
const ROUNDED_BY = powerOfTen(-QUOTIENT_DIGITS);

/**
 * `k / c op d` and `k // c op d`, with `c` not zero: `k op d * c`, wider by what the quotient was rounded or cut by. Not of `c / k`,
 * which jumps at zero, and not of `k % c`.
 */
export const numberQuotient: TurnAroundRule = Object.freeze({
  name: 'number-quotient',
  comparison({ operand, operator, value }, context) {
    const sides = quotientOf(operand);
    const divisor = sides === null ? null : constantValue(sides.divisor);
    const [c, d] = [divisor === null ? null : numberOf(divisor), numberOf(value)];
    if (sides === null || c === null || d === null || c.number.digits === 0n) return null;
    if (!isNumeric(sides.inner, context)) return null;
    const bound = times(d.number, c.number);
    const slack = plus(slackOf(bound), times(absolute(c.number), sides.isCut ? CUT_BY : ROUNDED_BY));
    const turned = c.number.digits < 0n ? FLIPPED[operator] : operator;
    return comparedWithin(sides.inner, turned, minus(bound, slack), plus(bound, slack));
  },
} satisfies TurnAroundRule);

function quotientOf(
  node: Expression,
): { readonly inner: Expression; readonly divisor: Expression; readonly isCut: boolean } | null {
  if (node.kind === 'Arithmetic')
    return node.operator === '/' ? { inner: node.left, divisor: node.right, isCut: false } : null;
  if (node.kind !== 'FunctionCall' || node.name !== 'DIV') return null;
  const [inner, divisor] = node.arguments;
  return inner === undefined || divisor === undefined ? null : { inner, divisor, isCut: true };
}
