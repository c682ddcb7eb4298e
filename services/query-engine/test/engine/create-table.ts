/** Creates the table that a catalog entry describes, with its indexes as they project, and fills it. */
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  type AttributeValue,
  type DynamoDBClient,
  type KeySchemaElement,
  type Projection,
} from '@aws-sdk/client-dynamodb';
import type { CatalogTable, KeyAttribute, KeySchema, SecondaryIndex } from '../../src/catalog/table.ts';

const ITEMS_PER_WRITE = 25;

function keySchemaOf({ partitionKey, sortKey }: KeySchema): KeySchemaElement[] {
  return [
    { AttributeName: partitionKey.name, KeyType: 'HASH' },
    ...(sortKey === null ? [] : [{ AttributeName: sortKey.name, KeyType: 'RANGE' as const }]),
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
  const keys = [key, ...indexes.map((index) => index.key)];
  const types = new Map<string, KeyAttribute['type']>();
  for (const { partitionKey, sortKey } of keys)
    for (const part of [partitionKey, sortKey]) if (part !== null) types.set(part.name, part.type);
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
      KeySchema: keySchemaOf(key),
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
