import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '@penstock/common/time/clock.ts';
import type { StoredStatistics } from '../metadata/learned/shown-statistics.ts';
import { expiry, LEARNED_PREFIX, metadataKey } from './metadata-items.ts';
import type { MetadataOwner } from './metadata-store.ts';
import { conditionally, unconditionally } from './stored-item.ts';

/**
 * Where it is kept what queries saw of tables: an item of its own beside a table's metadata, since it changes more often
 * and is smaller. It goes with the schema's other metadata (`MetadataStore.removeAll`).
 */
export interface LearnedStore {
  /** Null where nothing was reported. May be a moment behind where `isConsistent` is false. */
  get(
    owner: MetadataOwner,
    tableName: string,
    isConsistent?: boolean,
  ): Promise<{ readonly statistics: StoredStatistics; readonly revision: number } | null>;
  /** Writes where the stored revision is still this (null: where nothing is stored); false otherwise. */
  put(
    owner: MetadataOwner,
    tableName: string,
    statistics: StoredStatistics,
    previousRevision: number | null,
  ): Promise<boolean>;
  remove(owner: MetadataOwner, tableName: string): Promise<void>;
}

/** What queries saw, in the control-plane table. */
export function createLearnedStore(table: {
  client: DynamoDBClient;
  tableName: string;
  clock: Clock;
}): LearnedStore {
  const { client, tableName: TableName, clock } = table;
  const keyOf = (owner: MetadataOwner, tableName: string) => metadataKey(owner, LEARNED_PREFIX + tableName);

  return Object.freeze({
    async get(owner: MetadataOwner, tableName: string, isConsistent = true) {
      const command = new GetItemCommand({
        TableName,
        Key: keyOf(owner, tableName),
        ConsistentRead: isConsistent,
      });
      const { Item } = await unconditionally(client.send(command));
      if (Item === undefined) return null;
      const statistics = JSON.parse(Item['body']?.S ?? '') as StoredStatistics;
      return { statistics, revision: Number(Item['revision']?.N) };
    },

    async put(
      owner: MetadataOwner,
      tableName: string,
      statistics: StoredStatistics,
      previousRevision: number | null,
    ) {
      const command = new PutItemCommand({
        TableName,
        Item: {
          ...keyOf(owner, tableName),
          body: { S: JSON.stringify(statistics) },
          revision: { N: String((previousRevision ?? 0) + 1) },
          ...expiry(clock.now()),
        },
        ...(previousRevision === null
          ? { ConditionExpression: 'attribute_not_exists(pk)' }
          : {
              ConditionExpression: 'revision = :revision',
              ExpressionAttributeValues: { ':revision': { N: String(previousRevision) } },
            }),
      });
      return (await conditionally(client.send(command))) !== undefined;
    },

    async remove(owner: MetadataOwner, tableName: string) {
      await unconditionally(client.send(new DeleteItemCommand({ TableName, Key: keyOf(owner, tableName) })));
    },
  });
}
