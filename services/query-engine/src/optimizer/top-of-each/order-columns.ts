import type { SortKey } from '../../logical/expression.ts';
import type { WantedRows } from './tell-scan.ts';

/**
 * The keys up to the first that is no column. Where there are more, rows that are equal in these are not in any order, so all
 * of them have to be wanted. Where NULL sorts does not matter: what is read in the order of a key has no NULL in it.
 */
export function orderColumns(keys: readonly SortKey[]): WantedRows['order'] {
  const end = keys.findIndex(({ expression }) => expression.kind !== 'ColumnReference');
  const columns = end < 0 ? keys : keys.slice(0, end);
  return columns.flatMap(({ expression, descending }) =>
    expression.kind === 'ColumnReference' ? [{ id: expression.column.id, descending }] : [],
  );
}
