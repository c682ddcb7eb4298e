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
  });
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
    key: toKeySchema(index.KeySchema ?? [], types),
    projection: index.Projection?.ProjectionType ?? 'KEYS_ONLY',
    nonKeyAttributes: Object.freeze([...(index.Projection?.NonKeyAttributes ?? [])].sort()),
    itemCount: index.ItemCount ?? 0,
    sizeBytes: index.IndexSizeBytes ?? 0,
  });
}

function toKeySchema(elements: readonly KeySchemaElement[], types: KeyTypes): KeySchema {
  const attribute = (keyType: 'HASH' | 'RANGE'): KeyAttribute | null => {
    const name = elements.find((element) => element.KeyType === keyType)?.AttributeName;
    return name === undefined ? null : Object.freeze({ name, type: types.get(name) ?? 'S' });
  };
  const partitionKey = attribute('HASH');
  if (partitionKey === null) throw new Error('DescribeTable answered a key without a partition key');
  return Object.freeze({ partitionKey, sortKey: attribute('RANGE') });
}

function keyTypes(definitions: readonly AttributeDefinition[]): KeyTypes {
  return new Map(
    definitions.flatMap(({ AttributeName, AttributeType }) =>
      AttributeName === undefined || AttributeType === undefined ? [] : [[AttributeName, AttributeType]],
    ),
  );
}
