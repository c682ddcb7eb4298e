import type {
  AttributeDefinition,
  GlobalSecondaryIndexDescription,
  KeySchemaElement,
  LocalSecondaryIndexDescription,
  TableDescription as DescribedTable,
} from '@aws-sdk/client-dynamodb';
import type {
  IndexKey,
  KeyAttribute,
  KeySchema,
  SecondaryIndex,
  TableDescription,
} from '../metadata/table-metadata.ts';

/** What DescribeTable answered, in our terms. Indexes that cannot be read yet (or any more) are left out. */
export function toTableDescription(table: DescribedTable): TableDescription {
  const types = keyTypes(table.AttributeDefinitions ?? []);
  const indexes = [
    ...(table.GlobalSecondaryIndexes ?? []).filter(isReadable).map((index) => toIndex(index, true, types)),
    ...(table.LocalSecondaryIndexes ?? []).map((index) => toIndex(index, false, types)),
  ];
  return Object.freeze({
    tableName: table.TableName ?? '',
    key: toKeySchema(table.KeySchema ?? [], types),
    indexes: Object.freeze(indexes.sort((a, b) => (a.name < b.name ? -1 : 1))),
    itemCount: table.ItemCount ?? 0,
    sizeBytes: table.TableSizeBytes ?? 0,
    ...capacityOf(table),
  });
}

/** A table on demand says 0, and so do its indexes. */
function capacityOf({
  ProvisionedThroughput,
}: Pick<DescribedTable | GlobalSecondaryIndexDescription, 'ProvisionedThroughput'>): {
  readCapacity?: number;
} {
  const readCapacity = ProvisionedThroughput?.ReadCapacityUnits ?? 0;
  return readCapacity > 0 ? { readCapacity } : {};
}

type KeyTypes = ReadonlyMap<string, KeyAttribute['type']>;

function isReadable(index: GlobalSecondaryIndexDescription): boolean {
  // A new index is CREATING while it is filled; UPDATING is a change of throughput only. Emulators may say nothing.
  const status = index.IndexStatus ?? 'ACTIVE';
  return (status === 'ACTIVE' || status === 'UPDATING') && index.Backfilling !== true;
}

function toIndex(
  index: GlobalSecondaryIndexDescription | LocalSecondaryIndexDescription,
  global: boolean,
  types: KeyTypes,
): SecondaryIndex {
  return Object.freeze({
    name: index.IndexName ?? '',
    global,
    key: toIndexKey(index.KeySchema ?? [], types),
    projection: index.Projection?.ProjectionType ?? 'KEYS_ONLY',
    nonKeyAttributes: Object.freeze([...(index.Projection?.NonKeyAttributes ?? [])].sort()),
    itemCount: index.ItemCount ?? 0,
    sizeBytes: index.IndexSizeBytes ?? 0,
    // A local index is made with its table: no item is older than it.
    coverage: global ? 'assumed' : 'complete',
    ...(global ? capacityOf(index as GlobalSecondaryIndexDescription) : {}),
  });
}

function toIndexKey(elements: readonly KeySchemaElement[], types: KeyTypes): IndexKey {
  const attributes = (keyType: 'HASH' | 'RANGE'): readonly KeyAttribute[] =>
    Object.freeze(
      elements.flatMap(({ KeyType, AttributeName: name }) =>
        KeyType === keyType && name !== undefined
          ? [Object.freeze({ name, type: types.get(name) ?? 'S' })]
          : [],
      ),
    );
  const partitionKeys = attributes('HASH');
  if (partitionKeys.length === 0) throw new Error('DescribeTable answered a key without a partition key');
  return Object.freeze({ partitionKeys, sortKeys: attributes('RANGE') });
}

/** The key of a table, which has one attribute of each kind. */
function toKeySchema(elements: readonly KeySchemaElement[], types: KeyTypes): KeySchema {
  const { partitionKeys, sortKeys } = toIndexKey(elements, types);
  return Object.freeze({ partitionKey: partitionKeys[0] as KeyAttribute, sortKey: sortKeys[0] ?? null });
}

function keyTypes(definitions: readonly AttributeDefinition[]): KeyTypes {
  return new Map(
    definitions.flatMap(({ AttributeName, AttributeType }) =>
      AttributeName === undefined || AttributeType === undefined ? [] : [[AttributeName, AttributeType]],
    ),
  );
}
