import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '@penstock/common/time/clock.ts';
import { LIST_PAGE_BYTES_MAX } from '../limits.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';
import { isSchemaName } from '../schemas/validate-fields.ts';
import {
  fromSchemaItem,
  SCHEMA_PREFIX,
  schemaItemKey,
  schemaPartition,
  toSchemaItem,
} from './schema-items.ts';
import { createSchemaPlaces } from './schema-places.ts';
import { conditionally, unconditionally, type StoredItem } from './stored-item.ts';

/** Where schema records are kept. Reads are consistent: what was written before is seen. */
export interface SchemaStore {
  /**
   * Nothing is stored where the tenant already has the name in any case (`exists`), or has `max` schemas (`full`), however
   * many are created at the same time.
   */
  create(record: SchemaRecord, max: number): Promise<'created' | 'exists' | 'full'>;
  /** Null where there is none. Any case. */
  get(tenantId: string, schemaName: string): Promise<SchemaRecord | null>;
  /** Replaces the record that has this revision and incarnation; false where it has been written or removed since. */
  replace(record: SchemaRecord, previous: SchemaRecord): Promise<boolean>;
  /** Removes and returns what was stored; null where there was nothing. Any case. */
  remove(tenantId: string, schemaName: string): Promise<SchemaRecord | null>;
  /** Records by key, after the one given (null: from the start); fewer than `limit` where the page grows too large. */
  page(tenantId: string, page: { after: string | null; limit: number }): Promise<SchemaPage>;
}

/** Some records of one tenant. */
interface SchemaPage {
  /** By lower-cased name. */
  readonly records: readonly SchemaRecord[];
  /** True when at least one more record follows. */
  readonly more: boolean;
}

/** Schema records in the control-plane table. */
export function createSchemaStore(table: {
  client: DynamoDBClient;
  tableName: string;
  clock: Clock;
}): SchemaStore {
  const { client, tableName: TableName } = table;
  const places = createSchemaPlaces(table);

  return Object.freeze({
    async create(record: SchemaRecord, max: number) {
      if (!(await places.take(record, max))) return 'full';
      const command = new PutItemCommand({
        TableName,
        Item: toSchemaItem(record),
        ConditionExpression: 'attribute_not_exists(pk)',
      });
      const isCreated = (await conditionally(client.send(command))) !== undefined;
      await places.leave(record);
      return isCreated ? 'created' : 'exists';
    },

    async get(tenantId: string, schemaName: string) {
      if (!isSchemaName(schemaName)) return null;
      const command = new GetItemCommand({
        TableName,
        Key: schemaItemKey(tenantId, schemaName),
        ConsistentRead: true,
      });
      const { Item } = await unconditionally(client.send(command));
      return Item === undefined ? null : fromSchemaItem(tenantId, Item);
    },

    async replace(record: SchemaRecord, previous: SchemaRecord) {
      const command = new PutItemCommand({
        TableName,
        Item: toSchemaItem(record),
        ConditionExpression: 'revision = :revision AND incarnation = :incarnation',
        ExpressionAttributeValues: {
          ':revision': { N: String(previous.revision) },
          ':incarnation': { S: previous.incarnation },
        },
      });
      return (await conditionally(client.send(command))) !== undefined;
    },

    async remove(tenantId: string, schemaName: string) {
      if (!isSchemaName(schemaName)) return null;
      const command = new DeleteItemCommand({
        TableName,
        Key: schemaItemKey(tenantId, schemaName),
        ReturnValues: 'ALL_OLD',
      });
      const { Attributes } = await unconditionally(client.send(command));
      return Attributes === undefined ? null : fromSchemaItem(tenantId, Attributes);
    },

    async page(tenantId: string, page: { after: string | null; limit: number }): Promise<SchemaPage> {
      const records: SchemaRecord[] = [];
      let bytes = 0;
      let from: StoredItem | undefined =
        page.after === null ? undefined : schemaItemKey(tenantId, page.after);
      do {
        const command: QueryCommand = new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: {
            ':pk': { S: schemaPartition(tenantId) },
            ':prefix': { S: SCHEMA_PREFIX },
          },
          ConsistentRead: true,
          // One more than asked tells whether more follow.
          Limit: page.limit + 1 - records.length,
          ...(from === undefined ? {} : { ExclusiveStartKey: from }),
        });
        const { Items = [], LastEvaluatedKey } = await unconditionally(client.send(command));
        for (const item of Items) {
          const record = fromSchemaItem(tenantId, item);
          bytes += Buffer.byteLength(JSON.stringify(record));
          const full = records.length === page.limit || (records.length > 0 && bytes > LIST_PAGE_BYTES_MAX);
          if (full) return Object.freeze({ records, more: true });
          records.push(record);
        }
        from = LastEvaluatedKey;
      } while (from !== undefined);
      return Object.freeze({ records, more: false });
    },
  });
}
