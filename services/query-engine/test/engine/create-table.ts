/** Creates the table that a catalog entry describes, with its indexes as they project, and fills it. */
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  type AttributeValue,
  type DynamoDBClient,
  type KeySchemaElement,
  type Projection,
} from '@aws-sdk/client-dynamodb';
import {
  allKeyAttributes,
  queryKey,
  type CatalogTable,
  type IndexKey,
  type SecondaryIndex,
} from '../../src/catalog/table.ts';

const ITEMS_PER_WRITE = 25;

function keySchemaOf({ partitionKeys, sortKeys }: IndexKey): KeySchemaElement[] {
  return [
    ...partitionKeys.map(({ name }) => ({ AttributeName: name, KeyType: 'HASH' as const })),
    ...sortKeys.map(({ name }) => ({ AttributeName: name, KeyType: 'RANGE' as const })),
  ];
}

function projectionOf({ projection, nonKeyAttributes }: SecondaryIndex): Projection {
  return {
    ProjectionType: projection,
    ...(projection === 'INCLUDE' ? { NonKeyAttributes: [...nonKeyAttributes] } : {}),
  };
}

export async function createTable(
  client: DynamoDBClient,
  { tableName, key, indexes }: CatalogTable,
  items: readonly Readonly<Record<string, AttributeValue>>[],
): Promise<void> {
  const types = new Map(allKeyAttributes({ key, indexes }).map(({ name, type }) => [name, type]));
  const described = (global: boolean) =>
    indexes
      .filter((index) => index.global === global)
      .map((index) => ({
        IndexName: index.name,
        KeySchema: keySchemaOf(index.key),
        Projection: projectionOf(index),
      }));
  const [global, local] = [described(true), described(false)];
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keySchemaOf(queryKey({ key }, null)),
      AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({
        AttributeName,
        AttributeType,
      })),
      ...(global.length === 0 ? {} : { GlobalSecondaryIndexes: global }),
      ...(local.length === 0 ? {} : { LocalSecondaryIndexes: local }),
    }),
  );
  for (let i = 0; i < items.length; i += ITEMS_PER_WRITE) {
    const batch = items.slice(i, i + ITEMS_PER_WRITE).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: batch } }));
  }
}
