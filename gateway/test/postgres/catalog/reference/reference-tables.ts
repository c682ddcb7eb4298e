/** The sample's tables in PostgreSQL itself: with the names and types that the catalogs say they have. */
import type { CatalogTables } from '../../../../src/postgres/catalog/catalog.ts';
import { TYPE } from '../../../../src/postgres/catalog/system/types.ts';
import { quoteIdent } from '../../../../src/postgres/catalog/tables/quote-ident.ts';
import { tenantObjects } from '../../../../src/postgres/catalog/tables/tenant-tables.ts';
import type { ReferenceServer } from './server.ts';

export const DATABASE = 'penstock';
export const READER = 'reader';

const TYPE_NAMES: ReadonlyMap<number, string> = new Map([
  [TYPE.text, 'text'],
  [TYPE.numeric, 'numeric'],
  [TYPE.bool, 'boolean'],
  [TYPE.bytea, 'bytea'],
  [TYPE.jsonb, 'jsonb'],
]);

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Statements that make schemas, tables, indexes, comments, and what everybody may. */
export function definitions(tables: CatalogTables): readonly string[] {
  const { schemas, tables: made } = tenantObjects(tables);
  const ofSchemas = schemas.flatMap(({ name }) => [
    `CREATE SCHEMA ${quoteIdent(name)}`,
    `GRANT USAGE ON SCHEMA ${quoteIdent(name)} TO PUBLIC`,
  ]);
  const ofTables = made.flatMap(({ schema, name, columns, indexes, comment }) => {
    const table = `${quoteIdent(schema)}.${quoteIdent(name)}`;
    const columnList = (key: readonly number[]): string =>
      key.map((place) => quoteIdent(columns[place - 1]?.name ?? '')).join(', ');
    const primary = indexes.find(({ isPrimary }) => isPrimary);
    const key = `CONSTRAINT ${quoteIdent(primary?.name ?? '')} PRIMARY KEY (${columnList(primary?.key ?? [])})`;
    const columnSql = columns.map(
      (column) => `${quoteIdent(column.name)} ${TYPE_NAMES.get(column.type) ?? 'text'}`,
    );
    return [
      `CREATE TABLE ${table} (${[...columnSql, key].join(', ')})`,
      ...indexes
        .filter(({ isPrimary }) => !isPrimary)
        .map((index) => `CREATE INDEX ${quoteIdent(index.name)} ON ${table} (${columnList(index.key)})`),
      `COMMENT ON TABLE ${table} IS ${text(comment)}`,
      ...columns.map(
        (column) => `COMMENT ON COLUMN ${table}.${quoteIdent(column.name)} IS ${text(column.comment)}`,
      ),
      `GRANT SELECT, REFERENCES ON ${table} TO PUBLIC`,
    ];
  });
  return [...ofSchemas, ...ofTables];
}

/** The database that a session sees, with a user who may read. */
export async function prepareReference({ query }: ReferenceServer, tables: CatalogTables): Promise<void> {
  await query(`CREATE DATABASE ${DATABASE}`);
  await query(`CREATE ROLE ${READER} LOGIN`);
  await query(definitions(tables).join(';\n'), undefined, DATABASE);
}
