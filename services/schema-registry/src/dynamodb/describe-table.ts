import type {
  AttributeDefinition,
  GlobalSecondaryIndexDescription,
  KeySchemaElement,
  LocalSecondaryIndexDescription,
  TableDescription as DescribedTable,
} from '@aws-sdk/client-dynamodb';
import type {
  KeyAttribute,
  KeySchema,
  SecondaryIndex,
  TableDescription,
  UnusedIndex,
} from '../metadata/table-metadata.ts';

/** What DescribeTable answered, in our terms. Indexes that cannot be read yet (or any more) are left out. */
export function toTableDescription(table: DescribedTable): TableDescription {
  const types = keyTypes(table.AttributeDefinitions ?? []);
  const globals = (table.GlobalSecondaryIndexes ?? []).filter(isReadable);
  const indexes = [
    ...globals.filter((index) => !hasSeveralKeys(index)).map((index) => toIndex(index, true, types)),
    ...(table.LocalSecondaryIndexes ?? []).map((index) => toIndex(index, false, types)),
  ];
  const unused = globals.filter(hasSeveralKeys).map((index) => toUnusedIndex(index, types));
  return Object.freeze({
    tableName: table.TableName ?? '',
    key: toKeySchema(table.KeySchema ?? [], types),
    indexes: Object.freeze(indexes.sort(byName)),
    unusedIndexes: Object.freeze(unused.sort(byName)),
    itemCount: table.ItemCount ?? 0,
    sizeBytes: table.TableSizeBytes ?? 0,
  });
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

type KeyTypes = ReadonlyMap<string, KeyAttribute['type']>;

function isReadable(index: GlobalSecondaryIndexDescription): boolean {
  // A new index is CREATING while it is filled; UPDATING is a change of throughput only. Emulators may say nothing.
  const status = index.IndexStatus ?? 'ACTIVE';
  return (status === 'ACTIVE' || status === 'UPDATING') && index.Backfilling !== true;
}

/**
 * Whether a key is made of several attributes (developer guide, "Multi-attribute keys pattern": up to four each). Such an
 * index holds only items that have all of them, and is queried by all that its partition key is made of.
 */
function hasSeveralKeys({ KeySchema = [] }: GlobalSecondaryIndexDescription): boolean {
  return keysOf(KeySchema, 'HASH').length > 1 || keysOf(KeySchema, 'RANGE').length > 1;
}

function keysOf(elements: readonly KeySchemaElement[], keyType: 'HASH' | 'RANGE'): readonly string[] {
  return elements.flatMap((element) =>
    element.KeyType === keyType && element.AttributeName !== undefined ? [element.AttributeName] : [],
  );
}

function toUnusedIndex(index: GlobalSecondaryIndexDescription, types: KeyTypes): UnusedIndex {
  const attributes = (keyType: 'HASH' | 'RANGE'): readonly KeyAttribute[] =>
    Object.freeze(keysOf(index.KeySchema ?? [], keyType).map((name) => keyAttribute(name, types)));
  return Object.freeze({
    name: index.IndexName ?? '',
    partitionKeys: attributes('HASH'),
    sortKeys: attributes('RANGE'),
  });
}

function toIndex(
  index: GlobalSecondaryIndexDescription | LocalSecondaryIndexDescription,
  global: boolean,
  types: KeyTypes,
): SecondaryIndex {
  return Object.freeze({
    name: index.IndexName ?? '',
    global,
    key: toKeySchema(index.KeySchema ?? [], types),
    projection: index.Projection?.ProjectionType ?? 'KEYS_ONLY',
    nonKeyAttributes: Object.freeze([...(index.Projection?.NonKeyAttributes ?? [])].sort()),
    itemCount: index.ItemCount ?? 0,
    sizeBytes: index.IndexSizeBytes ?? 0,
    // A local index is made with its table: no item is older than it.
    coverage: global ? 'assumed' : 'complete',
  });
}

function toKeySchema(elements: readonly KeySchemaElement[], types: KeyTypes): KeySchema {
  const attribute = (keyType: 'HASH' | 'RANGE'): KeyAttribute | null => {
    const [name] = keysOf(elements, keyType);
    return name === undefined ? null : keyAttribute(name, types);
  };
  const partitionKey = attribute('HASH');
  if (partitionKey === null) throw new Error('DescribeTable answered a key without a partition key');
  return Object.freeze({ partitionKey, sortKey: attribute('RANGE') });
}

function keyAttribute(name: string, types: KeyTypes): KeyAttribute {
  return Object.freeze({ name, type: types.get(name) ?? 'S' });
}

function keyTypes(definitions: readonly AttributeDefinition[]): KeyTypes {
  return new Map(
    definitions.flatMap(({ AttributeName, AttributeType }) =>
      AttributeName === undefined || AttributeType === undefined ? [] : [[AttributeName, AttributeType]],
    ),
  );
}
