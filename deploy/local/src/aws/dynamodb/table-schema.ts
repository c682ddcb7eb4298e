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
  /** All attributes of its partition key and of its sort key, of which a global index may have four each. */
  readonly partitionKeys: readonly KeyAttribute[];
  readonly sortKeys: readonly KeyAttribute[];
  /** Attributes the index holds, its own and the table's keys included; undefined: all. */
  readonly projected: ReadonlySet<string> | undefined;
}

/** What the checks need to know of a table. */
export interface TableSchema extends KeySchema {
  readonly indexes: ReadonlyMap<string, IndexSchema>;
}

/** Reads the `Table` of a DescribeTable answer. */
function readTableSchema(table: Fields): TableSchema {
  const types = new Map(
    objects(table, 'AttributeDefinitions').map((one) => [
      text(one, 'AttributeName'),
      text(one, 'AttributeType'),
    ]),
  );
  const attributes = (of: Fields, kind: 'HASH' | 'RANGE'): readonly KeyAttribute[] =>
    objects(of, 'KeySchema').flatMap((one) => {
      const name = text(one, 'KeyType') === kind ? text(one, 'AttributeName') : undefined;
      return name === undefined ? [] : [{ name, type: types.get(name) ?? '' }];
    });
  const keys = (of: Fields): KeySchema => ({
    partitionKey: attributes(of, 'HASH')[0] ?? { name: '', type: '' },
    sortKey: attributes(of, 'RANGE')[0],
  });
  const own = keys(table);
  const index =
    (kind: IndexSchema['kind']) =>
    (of: Fields): readonly [string, IndexSchema] => {
      const [partitionKeys, sortKeys] = [attributes(of, 'HASH'), attributes(of, 'RANGE')];
      const projected = projectedBy(of, [...keysOf(own), ...partitionKeys, ...sortKeys]);
      return [text(of, 'IndexName') ?? '', { kind, partitionKeys, sortKeys, ...keys(of), projected }];
    };
  return {
    ...own,
    indexes: new Map([
      ...objects(table, 'GlobalSecondaryIndexes').map(index('global')),
      ...objects(table, 'LocalSecondaryIndexes').map(index('local')),
    ]),
  };
}

/** A table's own key attributes. */
export function keysOf({ partitionKey, sortKey }: KeySchema): readonly KeyAttribute[] {
  return sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];
}

function projectedBy(index: Fields, keys: readonly KeyAttribute[]): ReadonlySet<string> | undefined {
  const projection = object(index, 'Projection');
  if (text(projection, 'ProjectionType') === 'ALL') return undefined;
  const extra = projection['NonKeyAttributes'];
  const names: readonly unknown[] = Array.isArray(extra) ? extra : [];
  return new Set([...names.filter((name) => typeof name === 'string'), ...keys.map(({ name }) => name)]);
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
