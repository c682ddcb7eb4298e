/** From the names of a statement to what the catalog has of them. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { advice, statementError } from './binder/errors.ts';
import { bindIndex, indexesNamed, type IndexReading } from './binder/named-index.ts';
import { tableNameKey, type TableName } from './binder/table-names.ts';
import type { CatalogTable } from './catalog/table.ts';
import type { Resolved } from './clients/catalog.ts';
import type { TableReference } from './clients/catalog-client.ts';
import type { StatementRequest } from './prepare.ts';

/**
 * What the names mean where a database may stand before a schema, as in PostgreSQL: `database.schema.table` has the form of
 * our `schema.table.index`, and is meant where it is this database.
 */
export const meantIn = (database: string | undefined, names: readonly TableName[]): readonly TableName[] =>
  database === undefined
    ? names
    : names.map((name) =>
        name.index === null || name.schema?.name !== database
          ? name
          : { ...name, schema: name.table, table: name.index, index: null },
      );

export interface FoundTables {
  readonly find: (name: TableName) => CatalogTable;
  /** Of each name: what it means, and the version of that. */
  readonly versions: readonly string[];
}

/** The tables by name; throws the error of the first that is not to be had, with its place. */
export function tableFinder(
  asked: IndexReading & Pick<StatementRequest, 'rules'>,
  names: readonly TableName[],
  resolved: readonly Resolved[],
): FoundTables {
  const tables = new Map<string, CatalogTable>();
  const meant = meantIn(asked.rules?.database, names);
  names.forEach((name, i) => {
    const table = resolved[i];
    const index = meant[i]?.index ?? null;
    if (table === undefined) throw new PenstockError('INTERNAL', 'Internal error');
    if (table instanceof PenstockError) {
      throw statementError(table.code, table.message, { sql: asked.sql, pos: name.pos }, table.detail);
    }
    tables.set(tableNameKey(name), index === null ? table : bindIndex(table, index, asked));
  });
  return {
    find: (name) => {
      const table = tables.get(tableNameKey(name));
      if (table === undefined) throw new PenstockError('INTERNAL', 'Internal error');
      return table;
    },
    versions: [...tables].map(([key, { schemaName, tableName, version }]) =>
      JSON.stringify([key, schemaName, tableName, version]),
    ),
  };
}

/**
 * The same, where a schema that is not found was meant as a table and its table as an index: the error then says how an index
 * is named. `resolve` asks the catalog.
 */
export async function withIndexHints(
  names: readonly TableName[],
  resolved: readonly Resolved[],
  resolve: (references: readonly TableReference[]) => Promise<readonly Resolved[]>,
): Promise<readonly Resolved[]> {
  const at = resolved.findIndex((one) => one instanceof PenstockError);
  const [error, name] = [resolved[at], names[at]];
  if (!(error instanceof PenstockError) || error.code !== 'SCHEMA_NOT_FOUND') return resolved;
  if (name === undefined || name.schema === null || name.index !== null) return resolved;
  const [table] = await resolve([{ schema: null, table: name.schema.name }]);
  if (table === undefined || table instanceof PenstockError) return resolved;
  const [index] = indexesNamed(table, name.table);
  if (index === undefined) return resolved;
  const named = `${table.schemaName}.${table.tableName}.${index.name}`;
  const hint = `to read index ${index.name} of table ${table.tableName}, name it with its schema: ${named}`;
  const detail = advice(error.detail, hint);
  return resolved.with(
    at,
    new PenstockError(error.code, error.message, { ...(detail === undefined ? {} : { detail }) }),
  );
}
