/** Comparisons with their sides changed, and the opposites of comparisons. */

/** `a < b` is `b > a`. */
export const FLIPPED = Object.freeze({
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
} as const);

/** Where both sides can be compared, `NOT (a < b)` is `a >= b`. */
export const NEGATED = Object.freeze({
  '=': '<>',
  '<>': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
} as const);
