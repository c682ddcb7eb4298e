import type { Expression, SortKey } from '../logical/expression.ts';
import type { AstSortKey } from '../parser/ast.ts';

/** A bound expression as a sort key. NULL sorts below everything unless the statement says otherwise. */
export function sortKey(bound: Expression, { descending, nulls }: AstSortKey, isArray = false): SortKey {
  return Object.freeze({
    expression: bound,
    descending,
    nullsFirst: nulls === null ? !descending : nulls === 'FIRST',
    ...(isArray && { isArray }),
  });
}
