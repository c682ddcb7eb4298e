/** What a tenant's tables are in PostgreSQL. */
import type { KnownTable, TableDetails, TableIndex } from '../../../clients/catalog-tables.ts';
import { CATALOG_COLUMNS_MAX, INDEX_COLUMNS_MAX, NAME_BYTES_MAX } from '../limits.ts';
import type { CatalogTables } from './catalog-tables.ts';
import { byUtf8, columnsOf, keyNames, shown, type Columns } from './columns.ts';
import { createNamePlace, isNoName, type NamePlace } from './names.ts';
import type { NumericDigits } from '../../types/numeric-modifier.ts';
import type { ColumnObject, DatabaseObjects, IndexObject, SchemaObject, TableObject } from './objects.ts';

const NO_COLUMNS: Columns = { columns: [], names: new Map(), leftOut: null };

/** PostgreSQL has these itself, and lets nobody call a schema `pg_…`. */
const isSystemSchema = (name: string): boolean => name.startsWith('pg_') || name === 'information_schema';

const NUMBER_BYTES = 5;

/** Where a name is taken: with a number, as PostgreSQL does. A long one would lose the number again, and has a hash. */
function freeName(place: NamePlace, wanted: string): string {
  const isLong = Buffer.byteLength(wanted) + NUMBER_BYTES > NAME_BYTES_MAX;
  if (isLong || place.isFree(wanted)) return place.take(wanted);
  for (let i = 1; ; i++) if (place.isFree(`${wanted}${i}`)) return place.take(`${wanted}${i}`);
}

/** Relations of a schema share their names. An index that has its own alone keeps it. */
function indexNames(
  tables: readonly KnownTable[],
  place: NamePlace,
): (tableName: string, index: TableIndex | null) => string {
  const counts = new Map<string, number>();
  for (const { details } of tables)
    for (const { name } of details?.indexes ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (tableName, index) => {
    if (index === null) return freeName(place, `${tableName}_pkey`);
    const isOnly = counts.get(index.name) === 1 && place.isFree(index.name);
    return freeName(place, isOnly ? index.name : `${tableName}_${index.name}`);
  };
}

function indexesOf(
  { key, indexes, itemCount }: TableDetails,
  { names }: Columns,
  nameOf: (index: TableIndex | null) => string,
): readonly IndexObject[] {
  const primary = [key.partitionKey.name, ...(key.sortKey === undefined ? [] : [key.sortKey.name])];
  const all = [{ index: null, key: primary }, ...indexes.map((index) => ({ index, key: keyNames(index) }))];
  return all.flatMap(({ index, key: attributes }) => {
    const columns = attributes.flatMap((name) => names.get(name) ?? []);
    // Without one of its columns, it would be another index.
    if (columns.length < attributes.length || columns.length > INDEX_COLUMNS_MAX) return [];
    const isPrimary = index === null;
    return [{ name: nameOf(index), isPrimary, columns, itemCount: index?.itemCount ?? itemCount }];
  });
}

const tableComment = ({ sampledItems, describedAt }: TableDetails): string =>
  `DynamoDB table, described at ${describedAt}; columns are what ${sampledItems} sampled items hold.`;

const NOT_DESCRIBED = 'DynamoDB table that no statement has named yet: its columns are not known.';

/** Columns that may still be shown, of all tables. */
interface Room {
  left: number;
}

/** Columns of numbers with so many digits. */
const withDigits = (
  columns: readonly ColumnObject[],
  digits: NumericDigits | null,
): readonly ColumnObject[] =>
  digits === null
    ? columns
    : columns.map((column) => (column.type === 'numeric' ? { ...column, digits } : column));

function schemaObject(
  name: string,
  tables: readonly KnownTable[],
  room: Room,
  digits: NumericDigits | null,
): SchemaObject {
  const possible = tables.filter(({ tableName }) => !isNoName(tableName));
  const place = createNamePlace();
  // Tables have their names first: an index gives way.
  const named = possible.map((table) => ({ table, name: place.take(table.tableName) }));
  const nameOf = indexNames(possible, place);
  const objects = named.map(({ table: { tableName, details }, name: given }): TableObject => {
    const all = details === null ? NO_COLUMNS : columnsOf(details);
    const columns = all.columns.length > room.left ? NO_COLUMNS : all;
    room.left -= columns.columns.length;
    const comment = details === null ? NOT_DESCRIBED : tableComment(details);
    return {
      name: given,
      columns: withDigits(columns.columns, digits),
      indexes:
        details === null || columns.columns.length === 0
          ? []
          : indexesOf(details, columns, (index) => nameOf(tableName, index)),
      itemCount: details?.itemCount ?? 0,
      comment: shown(columns.leftOut === null ? comment : `${comment} ${columns.leftOut}`),
    };
  });
  const leftOut = tables.length - possible.length;
  return {
    name,
    comment: leftOut === 0 ? null : `${leftOut} tables are not shown: PostgreSQL holds no such names.`,
    tables: new Map(objects.map((table) => [table.name, table])),
  };
}

/**
 * Tables that have not been described show their names alone, and so do those beyond the limit on columns. `digits`: those of all
 * numbers; null: as many as they have.
 */
export function databaseObjects(
  { schemas, tables }: CatalogTables,
  digits: NumericDigits | null = null,
): DatabaseObjects {
  const place = createNamePlace();
  const room = { left: CATALOG_COLUMNS_MAX };
  const bySchema = Map.groupBy(tables, ({ schemaName }) => schemaName);
  const names = [...new Set(schemas)].filter((name) => !isNoName(name) && !isSystemSchema(name)).sort(byUtf8);
  return new Map(
    names.map((name) => {
      const own = (bySchema.get(name) ?? []).toSorted((a, b) => byUtf8(a.tableName, b.tableName));
      const schema = schemaObject(place.take(name), own, room, digits);
      return [schema.name, schema] as const;
    }),
  );
}
