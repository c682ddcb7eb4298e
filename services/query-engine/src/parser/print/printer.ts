import type { AstExpression, AstQuery } from '../ast.ts';

/** Prints the parts below a part: expressions hold queries, and queries expressions. */
export interface Printer {
  /** A query, without parentheses around it. */
  query(query: AstQuery): string;
  /** An expression, with parentheses only where the table of precedence needs them. */
  expression(expression: AstExpression): string;
  /** An expression that stands where only what binds tighter than BETWEEN, IN and LIKE may. */
  inRange(expression: AstExpression): string;
}
