/** Schemas with their tables, as a tree that can be searched. */

export interface TreeTable {
  readonly schemaName: string;
  readonly tableName: string;
}

export interface TreeSchema<T extends TreeTable> {
  readonly schemaName: string;
  readonly tables: readonly T[];
}

const has = (text: string, sought: string): boolean => text.toLowerCase().includes(sought);

/**
 * What a search leaves: schemas that match with all of their tables, others with the tables that match. Several words
 * must all be found, in either name: `shop ord` finds shop.orders.
 */
export function searched<T extends TreeTable>(
  schemas: readonly TreeSchema<T>[],
  search: string,
): readonly TreeSchema<T>[] {
  const words = search
    .toLowerCase()
    .split(/[\s.]+/)
    .filter((word) => word !== '');
  if (words.length === 0) return schemas;
  return schemas.flatMap(({ schemaName, tables }) => {
    const left = words.filter((word) => !has(schemaName, word));
    if (left.length === 0) return [{ schemaName, tables }];
    const found = tables.filter(({ tableName }) => left.every((word) => has(tableName, word)));
    return found.length === 0 ? [] : [{ schemaName, tables: found }];
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
