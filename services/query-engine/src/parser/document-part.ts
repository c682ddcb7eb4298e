import type { AstExpression } from './ast.ts';

/** Whether an expression is a part of a document, as it is in there: `x -> 'name'`, `x #> '{a,b}'`; of `->>` and `#>>` it is a text. */
export const isPartOfDocument = (
  node: AstExpression,
): node is Extract<AstExpression, { readonly kind: 'Binary' }> =>
  node.kind === 'Binary' && (node.operator === '->' || node.operator === '#>');
