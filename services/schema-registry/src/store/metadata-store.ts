import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type DynamoDBClient,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '@penstock/common/time/clock.ts';
import type { TableMetadata } from '../metadata/table-metadata.ts';
import {
  fromMetadataItem,
  fromNameItem,
  LEARNED_PREFIX,
  metadataKey,
  metadataPartition,
  NAME_PREFIX,
  TABLE_PREFIX,
  toMetadataItem,
  toNameItem,
} from './metadata-items.ts';
import { conditionally, unconditionally, type StoredItem } from './stored-item.ts';

/** Whose metadata: one life of one schema (a schema record has both members). */
export interface MetadataOwner {
  readonly tenantId: string;
  readonly incarnation: string;
}

/** Metadata as stored, with the revision that a conditional write needs. */
export interface StoredTable {
  readonly metadata: TableMetadata;
  /**
   * False where an older release stored it: its global indexes are left out, and the table has to be described again.
   */
  readonly isCurrent: boolean;
  readonly revision: number;
}

/** A name that is known, and since when it is described as it is. */
export interface KnownTable {
  readonly tableName: string;
  /** ISO 8601, UTC. */
  readonly describedAt: string;
}

/** Where the metadata of tables is kept. Reads are consistent. */
export interface MetadataStore {
  /** Null where the table is not known. */
  get(owner: MetadataOwner, tableName: string): Promise<StoredTable | null>;
  /** Writes where the stored revision is still this (null: where nothing is stored); false otherwise. */
  put(owner: MetadataOwner, metadata: TableMetadata, previousRevision: number | null): Promise<boolean>;
  /** With what queries saw of the table. True where there was something to remove. */
  remove(owner: MetadataOwner, tableName: string): Promise<boolean>;
  /** Removes everything of the owner, refresh state included. */
  removeAll(owner: MetadataOwner): Promise<void>;
  /** Every known table, by name. */
  known(owner: MetadataOwner): Promise<readonly KnownTable[]>;
}

/** Requests that one BatchWriteItem takes (DynamoDB API reference). */
const BATCH_WRITE_MAX = 25;

/** Pause before what a batch left over is sent again, milliseconds. */
const BATCH_PAUSE_MS = 50;

/** Metadata in the control-plane table. */
export function createMetadataStore(table: {
  client: DynamoDBClient;
  tableName: string;
  clock: Clock;
}): MetadataStore {
  const { client, tableName: TableName, clock } = table;

  async function* items(
    owner: MetadataOwner,
    prefix: string,
    projection: string,
  ): AsyncGenerator<StoredItem> {
    let from: StoredItem | undefined;
    do {
      const command: QueryCommand = new QueryCommand({
        TableName,
        KeyConditionExpression: prefix === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
        ProjectionExpression: projection,
        ExpressionAttributeValues: {
          ':pk': { S: metadataPartition(owner) },
          ...(prefix === '' ? {} : { ':prefix': { S: prefix } }),
        },
        ConsistentRead: true,
        ...(from === undefined ? {} : { ExclusiveStartKey: from }),
      });
      const { Items = [], LastEvaluatedKey } = await unconditionally(client.send(command));
      yield* Items;
      from = LastEvaluatedKey;
    } while (from !== undefined);
  }

  async function writeAll(requests: readonly WriteRequest[]): Promise<void> {
    for (let start = 0; start < requests.length; start += BATCH_WRITE_MAX) {
      let pending: WriteRequest[] | undefined = requests.slice(start, start + BATCH_WRITE_MAX);
      while (pending !== undefined && pending.length > 0) {
        const command: BatchWriteItemCommand = new BatchWriteItemCommand({
          RequestItems: { [TableName]: pending },
        });
        const { UnprocessedItems } = await unconditionally(client.send(command));
        pending = UnprocessedItems?.[TableName];
        if (pending !== undefined && pending.length > 0) await pause(BATCH_PAUSE_MS);
      }
    }
  }

  return Object.freeze({
    async get(owner: MetadataOwner, tableName: string) {
      const command = new GetItemCommand({
        TableName,
        Key: metadataKey(owner, TABLE_PREFIX + tableName),
        ConsistentRead: true,
      });
      const { Item } = await unconditionally(client.send(command));
      return Item === undefined ? null : fromMetadataItem(Item);
    },

    async put(owner: MetadataOwner, metadata: TableMetadata, previousRevision: number | null) {
      const now = clock.now();
      const command = new PutItemCommand({
        TableName,
        Item: toMetadataItem(owner, metadata, (previousRevision ?? 0) + 1, now),
        ...(previousRevision === null
          ? { ConditionExpression: 'attribute_not_exists(pk)' }
          : {
              ConditionExpression: 'revision = :revision',
              ExpressionAttributeValues: { ':revision': { N: String(previousRevision) } },
            }),
      });
      if ((await conditionally(client.send(command))) === undefined) return false;
      await unconditionally(
        client.send(new PutItemCommand({ TableName, Item: toNameItem(owner, metadata, now) })),
      );
      return true;
    },

    async remove(owner: MetadataOwner, tableName: string) {
      const remove = (prefix: string) =>
        unconditionally(
          client.send(
            new DeleteItemCommand({
              TableName,
              Key: metadataKey(owner, prefix + tableName),
              ReturnValues: 'ALL_OLD',
            }),
          ),
        );
      const removed = await remove(TABLE_PREFIX);
      await remove(NAME_PREFIX);
      await remove(LEARNED_PREFIX);
      return removed.Attributes !== undefined;
    },

    async removeAll(owner: MetadataOwner) {
      const requests: WriteRequest[] = [];
      for await (const { pk, sk } of items(owner, '', 'pk, sk')) {
        if (pk !== undefined && sk !== undefined) requests.push({ DeleteRequest: { Key: { pk, sk } } });
      }
      await writeAll(requests);
    },

    async known(owner: MetadataOwner) {
      const known = [];
      for await (const item of items(owner, NAME_PREFIX, 'sk, describedAt')) known.push(fromNameItem(item));
      return known;
    },
  });
}
