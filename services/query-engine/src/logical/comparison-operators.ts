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

/** Operators that compare two values. */
export type ComparedBy = keyof typeof FLIPPED;

/** Where both sides can be compared, `NOT (a < b)` is `a >= b`. */
export const NEGATED = Object.freeze({
  '=': '<>',
  '<>': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
} as const);

/** Whether a comparison holds of two values in this order: below 0 where the left one is less. */
export function holdsOf(operator: ComparedBy, order: number): boolean {
  switch (operator) {
    case '=':
      return order === 0;
    case '<>':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}
