/**
 * Modifiers of `numeric`: how many digits a number has, and how many of them are behind the point.
 *
 * Source: `make_numeric_typmod` of PostgreSQL's numeric.c.
 */

import { NUMERIC_DIGITS_MAX } from '../limits.ts';

/** A type modifier is so much more than what it says. */
export const MODIFIER_HEAD = 4;

const SCALE_BITS = 16;
const SCALE_MASK = 0x7ff;

export const numericModifier = (precision: number, scale: number): number =>
  ((precision << SCALE_BITS) | scale) + MODIFIER_HEAD;

export interface NumericDigits {
  readonly precision: number;
  readonly scale: number;
}

export const digitsOf = (modifier: number): NumericDigits => ({
  precision: (modifier - MODIFIER_HEAD) >> SCALE_BITS,
  scale: (modifier - MODIFIER_HEAD) & SCALE_MASK,
});

/** The digits that a value of `penstock.numeric` says, e.g. `38,9`; null of any other text. */
export function readDigits(text: string): NumericDigits | null {
  const [, all = '0', behind = '0'] = /^\s*(\d{1,2})\s*,\s*(\d{1,2})\s*$/.exec(text) ?? [];
  const [precision, scale] = [Number(all), Number(behind)];
  return precision >= 1 && precision <= NUMERIC_DIGITS_MAX && scale <= precision
    ? { precision, scale }
    : null;
}
