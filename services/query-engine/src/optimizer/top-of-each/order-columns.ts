import type { SortKey } from '../../logical/expression.ts';
import type { WantedRows } from './tell-scan.ts';

/**
 * The keys up to the first that is no column. Where there are more, rows that are equal in these are not in any order, so all
 * of them have to be wanted.
 */
export function orderColumns(keys: readonly SortKey[]): Pick<WantedRows, 'order' | 'nullsLast'> {
  const end = keys.findIndex(({ expression }) => expression.kind !== 'ColumnReference');
  const columns = end < 0 ? keys : keys.slice(0, end);
  const order = columns.flatMap(({ expression, descending }) =>
    expression.kind === 'ColumnReference' ? [{ id: expression.column.id, descending }] : [],
  );
  return { order, nullsLast: columns.every(({ nullsFirst }) => !nullsFirst) };
}
