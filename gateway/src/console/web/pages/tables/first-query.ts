/** Queries that are offered ready to run: by a key where there is one to try, else a few items. */
import type { CatalogTable, Key, KeyColumn } from '../../../api/catalog.ts';

/** Items that "query this" and the sample ask for. */
export const FEW_ITEMS = 10;

/** A few items of a table: what "query this" opens. */
export const fewItems = (sqlName: string): string => `SELECT * FROM ${sqlName} LIMIT ${FEW_ITEMS}`;

/** A value of a key's type, to be replaced by whoever runs it. Binary keys are written as base64 text. */
const sample = ({ type }: KeyColumn): string => (type === 'N' ? '1' : type === 'B' ? "'AAEC'" : "'value'");

/** Reads by a key: all of the partition key bound, the first attribute of the sort key by a range. */
export function byKey(
  sqlName: string,
  { partitionKeys, sortKeys }: Key,
  sqlNameOf: (column: KeyColumn) => string,
): string {
  const conditions = [
    ...partitionKeys.map((column) => `${sqlNameOf(column)} = ${sample(column)}`),
    ...sortKeys.slice(0, 1).map((column) => `${sqlNameOf(column)} >= ${sample(column)}`),
  ];
  return `SELECT * FROM ${sqlName} WHERE ${conditions.join(' AND ')} LIMIT ${FEW_ITEMS}`;
}

/** How a statement writes a key's column. */
export function columnNames({ details }: CatalogTable): (column: KeyColumn) => string {
  const names = new Map(details?.columns.map(({ name, sqlName }) => [name, sqlName]));
  return ({ name }) => names.get(name) ?? `"${name.replaceAll('"', '""')}"`;
}

/**
 * A first query that fits the tenant's own tables: a few items of the smallest table that has any, so that it costs
 * next to nothing. Null where there is no table.
 */
export function firstQuery(tables: readonly CatalogTable[]): string | null {
  const [smallest] = tables
    .filter(({ details }) => details !== null && details.itemCount + details.sampledItems > 0)
    .toSorted((a, b) => (a.details?.sizeBytes ?? 0) - (b.details?.sizeBytes ?? 0));
  const chosen = smallest ?? tables[0];
  return chosen === undefined ? null : fewItems(chosen.sqlName);
}
