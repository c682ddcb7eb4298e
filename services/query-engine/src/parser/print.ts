import type { AstQuery } from './ast.ts';
import { printExpression, printInRange } from './print/expression.ts';
import type { Printer } from './print/printer.ts';
import { printQuery } from './print/query.ts';

const printer: Printer = Object.freeze({
  query: (query) => printQuery(query, printer),
  expression: (expression) => printExpression(expression, printer),
  inRange: (expression) => printInRange(expression, printer),
} satisfies Printer);

/**
 * The tree as one line of SQL: keywords and functions in upper case, names as they were written, parentheses where
 * the table of precedence needs them. Parsing it again gives the same tree but for positions. It is what DuckDB's
 * parser is given to crossCheck, and the contract's `normalizedSql`. Subscripts and `^` are Penstock's (0 is the first
 * element, `^` is XOR), so this text is not to be executed by DuckDB as it stands.
 */
export const print = (query: AstQuery): string => printer.query(query);
