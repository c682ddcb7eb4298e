/** Schemas with their tables, as a tree that can be searched. */
import type { CatalogTable, Column } from '../../../api/catalog.ts';

export type TreeTable = Pick<CatalogTable, 'schemaName' | 'tableName' | 'details'>;

export interface FoundTable<T extends TreeTable> {
  readonly table: T;
  /** Attributes by which it was found, rather than by its name. */
  readonly attributes: readonly Column[];
}

export interface TreeSchema<T extends TreeTable> {
  readonly schemaName: string;
  readonly tables: readonly T[];
}

export interface FoundSchema<T extends TreeTable> {
  readonly schemaName: string;
  readonly tables: readonly FoundTable<T>[];
}

const has = (text: string, sought: string): boolean => text.toLowerCase().includes(sought);

const flat = (columns: readonly Column[]): readonly Column[] =>
  columns.flatMap((column) => [column, ...flat(column.nested)]);

/** Null where a word is in neither its name nor an attribute's. */
function foundBy<T extends TreeTable>(table: T, words: readonly string[]): FoundTable<T> | null {
  const left = words.filter((word) => !has(table.tableName, word));
  if (left.length === 0) return { table, attributes: [] };
  const columns = flat(table.details?.columns ?? []);
  const attributes = columns.filter(({ name }) => left.some((word) => has(name, word)));
  return left.every((word) => attributes.some(({ name }) => has(name, word))) ? { table, attributes } : null;
}

/**
 * What a search leaves: schemas that match with all of their tables, others with the tables that match. Several words
 * must all be found, in the names of schema, table or attributes: `shop ord` finds shop.orders, `loyalty` the tables that
 * have such an attribute, too.
 */
export function searched<T extends TreeTable>(
  schemas: readonly TreeSchema<T>[],
  search: string,
): readonly FoundSchema<T>[] {
  const words = search
    .toLowerCase()
    .split(/[\s.]+/)
    .filter((word) => word !== '');
  const all = ({ schemaName, tables }: TreeSchema<T>): FoundSchema<T> => ({
    schemaName,
    tables: tables.map((table) => ({ table, attributes: [] })),
  });
  if (words.length === 0) return schemas.map(all);
  return schemas.flatMap((schema) => {
    const left = words.filter((word) => !has(schema.schemaName, word));
    if (left.length === 0) return [all(schema)];
    const tables = schema.tables.flatMap((table) => foundBy(table, left) ?? []);
    return tables.length === 0 ? [] : [{ schemaName: schema.schemaName, tables }];
  });
}

/** Tables by their schema; schemas without tables stay. In the order given. */
export function treeOf<T extends TreeTable>(
  schemaNames: readonly string[],
  tables: readonly T[],
): readonly TreeSchema<T>[] {
  const bySchema = Map.groupBy(tables, ({ schemaName }) => schemaName);
  return schemaNames.map((schemaName) => ({ schemaName, tables: bySchema.get(schemaName) ?? [] }));
}
