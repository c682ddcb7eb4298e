/** Rules about numbers, and about numbers that are times. */
import type { TurnAroundRule } from './rule.ts';
import { numberAsTime } from './rules/number-as-time.ts';
import { numberProduct, numberQuotient } from './rules/number-product.ts';
import { negation, numberSum } from './rules/number-sum.ts';
import { absoluteNumber, approximateNumber, numberCast, roundedNumber } from './rules/rounded-number.ts';

export const NUMBER_RULES: readonly TurnAroundRule[] = Object.freeze([
  approximateNumber,
  numberSum,
  negation,
  numberProduct,
  numberQuotient,
  numberCast,
  roundedNumber,
  absoluteNumber,
  numberAsTime,
]);
