/** Sort keys, and the ties that make an order total. */
import type { Column, SortKey } from '../logical/expression.ts';
import { writeExpression } from './expression.ts';
import { once } from './json.ts';
import { columnName, type WriteScope } from './scope.ts';

export function writeSortKey(key: SortKey, scope: WriteScope): string {
  const value = writeExpression(key.expression, scope);
  const isList = key.isArray === true && value.type.kind === 'json';
  const sql = isList
    ? once(value.sql, (d) => `CASE WHEN ${d} IS NOT NULL THEN ps_list_key(${d}) END`)
    : value.sql;
  return `${sql} ${key.descending ? 'DESC' : 'ASC'} NULLS ${key.nullsFirst ? 'FIRST' : 'LAST'}`;
}

/** The asked keys, then every other column: rows that are still equal cannot be told apart. */
export function totalOrder(
  keys: readonly SortKey[],
  columns: readonly Column[],
  scope: WriteScope,
): readonly string[] {
  const asked = keys.filter((key) => key.expression.kind !== 'Literal');
  const named = new Set(
    asked.flatMap(({ expression }) => (expression.kind === 'ColumnReference' ? [expression.column.id] : [])),
  );
  const ties = columns
    .filter((column) => !named.has(column.id))
    .map((column) => `${columnName(column.id)} ASC NULLS FIRST`);
  return [...asked.map((key) => writeSortKey(key, scope)), ...ties];
}
