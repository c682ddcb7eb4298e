/** Statements that make a table what it is to be. All text of them is made by quote.ts. */
import { ALTER_COLUMNS_MAX } from '../limits.ts';
import type { ColumnObject, IndexObject, TableObject } from './objects.ts';
import { quoteIdent } from './quote.ts';

/** A relation's name with its schema's. */
const qualified = (schema: string, name: string): string => `${quoteIdent(schema)}.${quoteIdent(name)}`;

const columnList = (names: readonly string[]): string => `(${names.map(quoteIdent).join(', ')})`;

const typeOf = ({ type, digits }: ColumnObject): string =>
  digits === undefined ? `pg_catalog.${type}` : `pg_catalog.${type}(${digits.precision}, ${digits.scale})`;

const createIndex = (schema: string, table: string, { name, columns }: IndexObject): string =>
  `CREATE INDEX ${quoteIdent(name)} ON ${qualified(schema, table)} ${columnList(columns)}`;

/**
 * Whatever is as wide as it likes is stored in its row at first, so that PostgreSQL makes no second table for what does not
 * fit: that is half of the time. STORED_AS_USUAL puts it right.
 */
function columnDefinition(column: ColumnObject): string {
  const storage = column.type === 'bool' ? '' : ' STORAGE PLAIN';
  return `${quoteIdent(column.name)} ${typeOf(column)}${storage}${column.notNull ? ' NOT NULL' : ''}`;
}

export const createSchema = (schema: string): readonly string[] => [
  `CREATE SCHEMA IF NOT EXISTS ${quoteIdent(schema)}`,
  `GRANT USAGE ON SCHEMA ${quoteIdent(schema)} TO PUBLIC`,
];

export const dropSchema = (schema: string): readonly string[] =>
  schema === 'public' ? [] : [`DROP SCHEMA IF EXISTS ${quoteIdent(schema)} CASCADE`];

/** Rights on it come from default privileges of the template. */
export function createTable(schema: string, { name, columns, indexes }: TableObject): readonly string[] {
  const key = indexes.find(({ isPrimary }) => isPrimary);
  const parts = [
    ...columns.map(columnDefinition),
    ...(key === undefined
      ? []
      : [`CONSTRAINT ${quoteIdent(key.name)} PRIMARY KEY ${columnList(key.columns)}`]),
  ];
  return [
    `CREATE TABLE ${qualified(schema, name)} (${parts.join(', ')})`,
    ...indexes.filter(({ isPrimary }) => !isPrimary).map((index) => createIndex(schema, name, index)),
  ];
}

export const dropTable = (schema: string, name: string): string =>
  `DROP TABLE IF EXISTS ${qualified(schema, name)} CASCADE`;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What an index is, but for how much is in it. */
const shape = ({ name, isPrimary, columns }: IndexObject): unknown => [name, isPrimary, columns];

/** Whether only other statements than ALTER lead from one to the other: another key is another table. */
const isAnotherTable = (before: TableObject, after: TableObject): boolean => {
  const key = ({ columns, indexes }: TableObject): unknown => [
    indexes.filter(({ isPrimary }) => isPrimary).map(shape),
    columns.filter(({ notNull }) => notNull).map(({ name, type }) => [name, type]),
  ];
  return !isSame(key(before), key(after));
};

export interface TableSteps {
  /** What gives names free: all of them come before the first of the others. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Another relation by the same name. */
export const madeAnew = (schema: string, before: TableObject, after: TableObject): TableSteps => ({
  before: [dropTable(schema, before.name)],
  after: createTable(schema, after),
});

/** New columns come last. */
export function alterTable(schema: string, before: TableObject, after: TableObject): TableSteps {
  if (isAnotherTable(before, after)) return madeAnew(schema, before, after);
  const had = new Map(before.columns.map((column) => [column.name, column]));
  const has = new Set(after.columns.map(({ name }) => name));
  const indexesHad = new Set(before.indexes.map((index) => JSON.stringify(shape(index))));
  const indexesHas = new Set(after.indexes.map((index) => JSON.stringify(shape(index))));
  const goes = before.indexes.filter((index) => !indexesHas.has(JSON.stringify(shape(index))));
  const comes = after.indexes.filter((index) => !indexesHad.has(JSON.stringify(shape(index))));
  const dropped = before.columns.filter(({ name }) => !has.has(name));
  const actions = after.columns.flatMap((column) => {
    const known = had.get(column.name);
    if (known === undefined) return [`ADD COLUMN ${columnDefinition(column)}`];
    if (known.type === column.type) return [];
    // The table is empty: no value is lost, and none has to be read as another type.
    const name = quoteIdent(column.name);
    return [`ALTER COLUMN ${name} TYPE ${typeOf(column)} USING NULL`];
  });
  // PostgreSQL reads the table's description anew after each: hundreds take hundreds of megabytes.
  if (dropped.length + actions.length > ALTER_COLUMNS_MAX) return madeAnew(schema, before, after);
  const table = qualified(schema, after.name);
  const alter = (list: readonly string[]): readonly string[] =>
    list.length === 0 ? [] : [`ALTER TABLE ${table} ${list.join(', ')}`];
  return {
    before: [
      ...goes.map(({ name }) => `DROP INDEX IF EXISTS ${qualified(schema, name)}`),
      ...alter(dropped.map(({ name }) => `DROP COLUMN ${quoteIdent(name)} CASCADE`)),
    ],
    after: [...alter(actions), ...comes.map((index) => createIndex(schema, after.name, index))],
  };
}
