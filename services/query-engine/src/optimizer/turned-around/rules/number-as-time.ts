import { SECOND, instantOf } from '../instant.ts';
import { comparedWithin } from '../number-bounds.ts';
import type { TurnAroundRule } from '../rule.ts';
import { isNumeric } from '../value-kind.ts';

/** Digits after the point of a second. */
const MICROSECOND_DIGITS = 6;
/** Above what a DOUBLE rounds seconds of this calendar by. */
const ROUNDED_BY = SECOND / 1000n;

/** `to_timestamp(n) op c`: seconds since 1970, a millisecond wider on each side. Not where it reads a text by a format. */
export const numberAsTime: TurnAroundRule = Object.freeze({
  name: 'number-as-time',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'FunctionCall' || operand.name !== 'TO_TIMESTAMP') return null;
    const [inner, format] = operand.arguments;
    const instant = instantOf(value);
    if (inner === undefined || format !== undefined || instant === null || !isNumeric(inner, context))
      return null;
    const seconds = (micros: bigint): { digits: bigint; scale: number } => ({
      digits: micros,
      scale: MICROSECOND_DIGITS,
    });
    return comparedWithin(inner, operator, seconds(instant - ROUNDED_BY), seconds(instant + ROUNDED_BY));
  },
} satisfies TurnAroundRule);
