import type { AstExpression, AstSortKey } from '../ast.ts';
import type { Printer } from './printer.ts';

/** Expressions between commas. */
export const printList = (expressions: readonly AstExpression[], printer: Printer): string =>
  expressions.map((expression) => printer.expression(expression)).join(', ');

/** The keys of an ORDER BY. */
export function printSortKeys(keys: readonly AstSortKey[], printer: Printer): string {
  return keys
    .map(({ expression, descending, nulls }) => {
      const order = `${descending ? ' DESC' : ''}${nulls === null ? '' : ` NULLS ${nulls}`}`;
      return `${printer.expression(expression)}${order}`;
    })
    .join(', ');
}
