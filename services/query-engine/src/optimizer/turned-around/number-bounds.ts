/** Bounds of numbers, exact until they are rounded outwards to the digits that a key has. */
import { withoutTrailing } from '@penstock/common/text/without-trailing.ts';
import { and, comparison, literal } from '../../logical/build-expression.ts';
import type { Expression, LiteralValue } from '../../logical/expression.ts';
import { parseNumber, printNumber, type ExactNumber } from '../../logical/exact-number.ts';
import type { ComparisonWithConstant } from './rule.ts';

/** Significant digits of a DynamoDB number. */
const KEY_DIGITS_MAX = 38;
/** Digits after the last one that counts, in a quotient. */
const GUARD_DIGITS = 45;
/** Digits that a DOUBLE holds whatever they are. */
const DOUBLE_DIGITS = 15;
/** A DOUBLE of a number is off by the 53rd binary digit of it; some steps on, less than the 14th decimal digit. */
const SLACK_DIGITS = 14;

export const ZERO: ExactNumber = Object.freeze({ digits: 0n, scale: 0 });

/** A number's own value and whether it stands for all DOUBLEs near it; null for what is no number. */
export function numberOf(
  value: LiteralValue,
): { readonly number: ExactNumber; readonly isExact: boolean } | null {
  if (value.type !== 'number') return null;
  const number = parseNumber(value.text);
  return number === null ? null : { number, isExact: value.approximate !== true };
}

const inUnits = ({ digits, scale }: ExactNumber, wanted: number): bigint =>
  digits * 10n ** BigInt(wanted - scale);

export function plus(a: ExactNumber, b: ExactNumber): ExactNumber {
  const scale = Math.max(a.scale, b.scale);
  return { digits: inUnits(a, scale) + inUnits(b, scale), scale };
}

export function minus(a: ExactNumber, b: ExactNumber): ExactNumber {
  return plus(a, negated(b));
}

export function negated({ digits, scale }: ExactNumber): ExactNumber {
  return { digits: -digits, scale };
}

export function times(a: ExactNumber, b: ExactNumber): ExactNumber {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

export function absolute(number: ExactNumber): ExactNumber {
  return number.digits < 0n ? negated(number) : number;
}

/** Ten to the power of so many. */
export function powerOfTen(exponent: number): ExactNumber {
  return exponent < 0 ? { digits: 1n, scale: -exponent } : { digits: 10n ** BigInt(exponent), scale: 0 };
}

/** By a number that is not zero; cut after more digits than any key has. */
export function over(a: ExactNumber, b: ExactNumber): ExactNumber {
  const size = (b.digits < 0n ? -b.digits : b.digits).toString().length;
  const scale = a.scale + GUARD_DIGITS + size;
  return { digits: inUnits(a, scale + b.scale) / b.digits, scale };
}

/** What arithmetic in DOUBLEs may be off by, where it takes and gives numbers of these sizes. */
export function slackOf(...numbers: readonly ExactNumber[]): ExactNumber {
  const sum = numbers.map(absolute).reduce(plus, ZERO);
  return { digits: sum.digits, scale: sum.scale + SLACK_DIGITS };
}

/** Whether a DOUBLE holds all digits. */
export function isShort({ digits }: ExactNumber): boolean {
  const text = (digits < 0n ? -digits : digits).toString();
  return withoutTrailing(text, '0').length <= DOUBLE_DIGITS;
}

/** With 38 digits at most, no greater (or no less) than it is. */
function rounded({ digits, scale }: ExactNumber, direction: 'down' | 'up'): ExactNumber {
  const beyond = (digits < 0n ? -digits : digits).toString().length - KEY_DIGITS_MAX;
  if (beyond <= 0) return { digits, scale };
  const unit = 10n ** BigInt(beyond);
  const rest = digits % unit;
  let units = digits / unit;
  if (rest !== 0n && direction === 'up' && digits > 0n) units += 1n;
  if (rest !== 0n && direction === 'down' && digits < 0n) units -= 1n;
  return scale >= beyond
    ? { digits: units, scale: scale - beyond }
    : { digits: units * 10n ** BigInt(beyond - scale), scale: 0 };
}

const literalOf = (number: ExactNumber): Expression => literal({ type: 'number', text: printNumber(number) });

/** `operand operator c` for a `c` that is known to lie between two numbers: no narrower than for any of them. */
export function comparedWithin(
  operand: Expression,
  operator: ComparisonWithConstant['operator'],
  low: ExactNumber,
  high: ExactNumber,
): Expression {
  const [from, to] = [rounded(low, 'down'), rounded(high, 'up')];
  const isPoint = from.scale === to.scale && from.digits === to.digits;
  if (isPoint) return comparison(operator, operand, literalOf(from));
  const atMost = comparison('<=', operand, literalOf(to));
  const atLeast = comparison('>=', operand, literalOf(from));
  if (operator === '=') return and([atLeast, atMost]);
  return operator === '<' || operator === '<=' ? atMost : atLeast;
}
