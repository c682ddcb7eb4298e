import { isFields, object, objects, text, type Fields } from './input.ts';

/** A key attribute and its declared type, `S`, `N` or `B`. */
export interface KeyAttribute {
  readonly name: string;
  readonly type: string;
}

/** The keys of a table or an index. */
export interface KeySchema {
  readonly partitionKey: KeyAttribute;
  readonly sortKey: KeyAttribute | undefined;
}

export interface IndexSchema extends KeySchema {
  readonly kind: 'global' | 'local';
  /** Names of all attributes of its partition key and of its sort key, of which a global index may have four each. */
  readonly partitionKeys: readonly string[];
  readonly sortKeys: readonly string[];
  /** Attributes the index holds, its own and the table's keys included; undefined: all. */
  readonly projected: ReadonlySet<string> | undefined;
}

/** What the checks need to know of a table. */
export interface TableSchema extends KeySchema {
  readonly indexes: ReadonlyMap<string, IndexSchema>;
}

/** Reads the `Table` of a DescribeTable answer. */
export function readTableSchema(table: Fields): TableSchema {
  const types = new Map(
    objects(table, 'AttributeDefinitions').map((one) => [
      text(one, 'AttributeName'),
      text(one, 'AttributeType'),
    ]),
  );
  const keys = (of: Fields): KeySchema => {
    const key = (kind: string): KeyAttribute | undefined => {
      const element = objects(of, 'KeySchema').find((one) => text(one, 'KeyType') === kind);
      const name = element && text(element, 'AttributeName');
      return name === undefined ? undefined : { name, type: types.get(name) ?? '' };
    };
    return { partitionKey: key('HASH') ?? { name: '', type: '' }, sortKey: key('RANGE') };
  };
  const own = keys(table);
  const index =
    (kind: IndexSchema['kind']) =>
    (of: Fields): readonly [string, IndexSchema] => {
      const indexKeys = keys(of);
      return [
        text(of, 'IndexName') ?? '',
        {
          kind,
          partitionKeys: keyNames(of, 'HASH'),
          sortKeys: keyNames(of, 'RANGE'),
          ...indexKeys,
          projected: projectedBy(of, own, indexKeys),
        },
      ];
    };
  return {
    ...own,
    indexes: new Map([
      ...objects(table, 'GlobalSecondaryIndexes').map(index('global')),
      ...objects(table, 'LocalSecondaryIndexes').map(index('local')),
    ]),
  };
}

function keyNames(of: Fields, kind: 'HASH' | 'RANGE'): readonly string[] {
  return objects(of, 'KeySchema').flatMap((one) =>
    text(one, 'KeyType') === kind ? [text(one, 'AttributeName') ?? ''] : [],
  );
}

function projectedBy(index: Fields, ...keys: readonly KeySchema[]): ReadonlySet<string> | undefined {
  const projection = object(index, 'Projection');
  if (text(projection, 'ProjectionType') === 'ALL') return undefined;
  const extra = projection['NonKeyAttributes'];
  const names: readonly unknown[] = Array.isArray(extra) ? extra : [];
  return new Set([
    ...names.filter((name) => typeof name === 'string'),
    ...keys.flatMap(({ partitionKey, sortKey }) => [partitionKey.name, ...(sortKey ? [sortKey.name] : [])]),
  ]);
}

/** Remembers the schemas of one store's tables until they are altered. */
export function createTableSchemas(describe: (tableName: string) => Promise<Fields | undefined>) {
  const known = new Map<string, TableSchema>();
  let generation = 0;

  /** The schema of a table, or undefined where there is no such table. */
  async function find(tableName: string): Promise<TableSchema | undefined> {
    const schema = known.get(tableName);
    if (schema !== undefined) return schema;
    const asked = generation;
    const table = (await describe(tableName))?.['Table'];
    if (!isFields(table)) return undefined;
    const read = readTableSchema(table);
    if (asked === generation) known.set(tableName, read);
    return read;
  }

  function forget(): void {
    generation += 1;
    known.clear();
  }

  return { find, forget };
}

export type TableSchemas = ReturnType<typeof createTableSchemas>;
