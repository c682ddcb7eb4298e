import { constantValue } from '../../../logical/constant-value.ts';
import { and, comparison, literal } from '../../../logical/build-expression.ts';
import type { Expression } from '../../../logical/expression.ts';
import { scalarNamed } from '../../../logical/functions/list.ts';
import { printNumber, type ExactNumber } from '../../../logical/exact-number.ts';
import {
  ZERO,
  absolute,
  comparedWithin,
  isShort,
  minus,
  negated,
  numberOf,
  plus,
  powerOfTen,
  slackOf,
} from '../number-bounds.ts';
import type { TurnAroundRule } from '../rule.ts';
import { isNumeric } from '../value-kind.ts';

/** How far what is rounded may be below and above what comes of it, besides what a DOUBLE is off by. */
interface Rounding {
  readonly inner: Expression;
  readonly below: ExactNumber;
  readonly above: ExactNumber;
}

const ONE = powerOfTen(0);
/** `n` of `round(k, n)`: more are no places that a number of a key has. */
const PLACES_MAX = 38;
const WHOLE_TYPE = /^(?:TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/;
const DECIMAL_TYPE = /^DECIMAL(?:\(\d+,(\d+)\))?$/;
/** DECIMAL without digits rounds DOUBLEs, and nothing else. */
const UNBOUNDED_SCALE = '10';
/** A REAL is off by the 24th binary digit of a number: less than its 6th decimal digit. */
const REAL_DIGITS = 6;
/** Numbers below it lose more, or become zero. */
const REAL_LEAST = powerOfTen(-37);

const steps = (inner: Expression, step: ExactNumber): Rounding => ({ inner, below: step, above: step });

function placesOf(node: Expression | undefined): number | null {
  if (node === undefined) return 0;
  const value = constantValue(node);
  const number = value === null ? null : numberOf(value);
  if (number?.isExact !== true || number.number.scale > 0) return null;
  const places = Number(number.number.digits);
  return Math.abs(places) <= PLACES_MAX ? places : null;
}

function roundingOf(node: Expression): Rounding | null {
  if (node.kind === 'Cast') {
    if (WHOLE_TYPE.test(node.sqlType)) return steps(node.operand, ONE);
    const [whole, scale = UNBOUNDED_SCALE] = DECIMAL_TYPE.exec(node.sqlType) ?? [];
    return whole === undefined ? null : steps(node.operand, powerOfTen(-Number(scale)));
  }
  if (node.kind !== 'FunctionCall') return null;
  const [inner, digits] = node.arguments;
  const places = placesOf(digits);
  if (inner === undefined || places === null) return null;
  switch (node.name) {
    case 'FLOOR':
      return { inner, below: ZERO, above: ONE };
    case 'CEIL':
      return { inner, below: ONE, above: ZERO };
    case 'ROUND':
    case 'TRUNC':
      return steps(inner, powerOfTen(-places));
    default:
      return null;
  }
}

/**
 * `floor(k) op d`, `ceil`, `round`, `trunc`, and casts to whole numbers and decimals, which round: `k` lies within one step of the
 * last digit.
 */
export const roundedNumber: TurnAroundRule = Object.freeze({
  name: 'rounded-number',
  comparison({ operand, operator, value }, context) {
    const rounding = roundingOf(operand);
    const d = numberOf(value);
    if (rounding === null || d === null || !isNumeric(rounding.inner, context)) return null;
    const slack = slackOf(d.number);
    return comparedWithin(
      rounding.inner,
      operator,
      minus(minus(d.number, rounding.below), slack),
      plus(plus(d.number, rounding.above), slack),
    );
  },
} satisfies TurnAroundRule);

/** Whether all values are whole numbers. */
function isWhole(node: Expression): boolean {
  if (node.kind === 'Extract') return node.field.toUpperCase() === 'YEAR';
  return node.kind === 'FunctionCall' && scalarNamed(node.name).result === 'integer';
}

/**
 * Casts to what a number is already: whole numbers, `k::numeric`, which leaves exact numbers as they are, and DOUBLE or REAL, which are off by their
 * last digit. An equality with few digits stays one for the first: as of sums, what would equal it only because it was rounded is
 * another number.
 */
export const numberCast: TurnAroundRule = Object.freeze({
  name: 'number-cast',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'Cast' || !isNumeric(operand.operand, context)) return null;
    const d = numberOf(value);
    if (d === null) return null;
    const within = (slack: ExactNumber): Expression =>
      comparedWithin(operand.operand, operator, minus(d.number, slack), plus(d.number, slack));
    if (WHOLE_TYPE.test(operand.sqlType) && isWhole(operand.operand))
      return comparison(operator, operand.operand, literal(value));
    if (operand.sqlType === 'DOUBLE') return within(slackOf(d.number));
    if (operand.sqlType === 'REAL') {
      const { digits, scale } = absolute(d.number);
      return within(plus({ digits, scale: scale + REAL_DIGITS }, REAL_LEAST));
    }
    if (operand.sqlType !== 'DECIMAL' || operator !== '=' || !d.isExact || !isShort(d.number)) return null;
    return within(ZERO);
  },
} satisfies TurnAroundRule);

/** `k op d` of a DOUBLE `d`, beside which numbers are compared as DOUBLEs: within what these are off by. */
export const approximateNumber: TurnAroundRule = Object.freeze({
  name: 'approximate-number',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'ColumnReference' || context.keyType(operand) !== 'number') return null;
    const d = numberOf(value);
    if (d === null) return null;
    const slack = slackOf(d.number);
    return comparedWithin(operand, operator, minus(d.number, slack), plus(d.number, slack));
  },
} satisfies TurnAroundRule);

const numberLiteral = (number: ExactNumber): Expression =>
  literal({ type: 'number', text: printNumber(number) });

/** `abs(k) op d`, of a `d` that is not below zero: on both sides of zero. */
export const absoluteNumber: TurnAroundRule = Object.freeze({
  name: 'absolute-number',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'FunctionCall' || operand.name !== 'ABS') return null;
    const [inner] = operand.arguments;
    const d = numberOf(value);
    if (inner === undefined || d?.isExact !== true || d.number.digits < 0n || !isNumeric(inner, context))
      return null;
    const [least, most] = [numberLiteral(negated(d.number)), numberLiteral(d.number)];
    const [below, above] = operator.startsWith('<')
      ? [comparison('>=', inner, least), comparison('<=', inner, most)]
      : operator === '='
        ? [comparison('=', inner, least), comparison('=', inner, most)]
        : [comparison('<=', inner, least), comparison('>=', inner, most)];
    if (operator.startsWith('<')) return and([below, above]);
    return Object.freeze({ kind: 'Or', operands: Object.freeze([below, above]) });
  },
} satisfies TurnAroundRule);
