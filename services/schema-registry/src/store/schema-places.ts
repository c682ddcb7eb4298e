import { setTimeout as pause } from 'node:timers/promises';
import {
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
  type AttributeValue,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { SCHEMA_PLACE_KEPT_MS, WRITE_ATTEMPTS_MAX, WRITE_PAUSE_MS_MAX } from '../limits.ts';
import { schemaKey, type SchemaRecord } from '../schemas/schema-record.ts';
import { SCHEMA_PREFIX, schemaPartition } from './schema-items.ts';
import { conditionally, unconditionally, type StoredItem } from './stored-item.ts';

/**
 * Places of a tenant's schemas, so that creates at the same time do not pass the bound together. One item of the tenant
 * holds, under a version, the names that are being created: a create counts them with the records, and gets its place by a
 * write that fails where another got one since. The place is its own until its record is written, and is no longer needed then.
 */
interface SchemaPlaces {
  /** False where records and creates under way have `max` names, and this is none of them. */
  take(record: SchemaRecord, max: number): Promise<boolean>;
  /** The record is written, or exists. Never throws: a place that stays is free again soon. */
  leave(record: SchemaRecord): Promise<void>;
}

/** Places of creates that broke off, which one write forgets. */
const EXPIRED_PLACES_MAX = 20;

const keyOf = (tenantId: string): StoredItem => ({
  pk: { S: schemaPartition(tenantId) },
  sk: { S: 'creating' },
});

export function createSchemaPlaces(table: {
  client: DynamoDBClient;
  tableName: string;
  clock: Clock;
}): SchemaPlaces {
  const { client, tableName: TableName, clock } = table;

  async function recordKeys(tenantId: string): Promise<Set<string>> {
    const keys = new Set<string>();
    let from: StoredItem | undefined;
    do {
      const command: QueryCommand = new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: {
          ':pk': { S: schemaPartition(tenantId) },
          ':prefix': { S: SCHEMA_PREFIX },
        },
        ProjectionExpression: 'sk',
        ConsistentRead: true,
        ...(from === undefined ? {} : { ExclusiveStartKey: from }),
      });
      const { Items = [], LastEvaluatedKey } = await unconditionally(client.send(command));
      for (const { sk } of Items) keys.add((sk?.S ?? '').slice(SCHEMA_PREFIX.length));
      from = LastEvaluatedKey;
    } while (from !== undefined);
    return keys;
  }

  const send = (command: PutItemCommand | UpdateItemCommand): Promise<object> =>
    command instanceof PutItemCommand ? client.send(command) : client.send(command);

  /** Other places stay as they are by now: one that was given back since must not come back. */
  function withPlace(change: {
    Key: StoredItem;
    version: number;
    incarnation: string;
    place: AttributeValue;
    expired: readonly string[];
  }): UpdateItemCommand {
    const { Key, version, incarnation, place } = change;
    const expired = change.expired.slice(0, EXPIRED_PLACES_MAX);
    const removed = expired.map((_, i) => `creating.#e${i}`).join(', ');
    return new UpdateItemCommand({
      TableName,
      Key,
      UpdateExpression: `SET creating.#own = :place, version = :next${removed === '' ? '' : ` REMOVE ${removed}`}`,
      ConditionExpression: 'version = :version',
      ExpressionAttributeNames: {
        '#own': incarnation,
        ...Object.fromEntries(expired.map((id, i) => [`#e${i}`, id])),
      },
      ExpressionAttributeValues: {
        ':place': place,
        ':version': { N: String(version) },
        ':next': { N: String(version + 1) },
      },
    });
  }

  return Object.freeze({
    async take({ tenantId, schemaName, incarnation }: SchemaRecord, max: number) {
      const own = schemaKey(schemaName);
      for (let attempt = 1; attempt <= WRITE_ATTEMPTS_MAX; attempt++) {
        const Key = keyOf(tenantId);
        // Before the records: whose place is given back in between has written its record.
        const { Item } = await unconditionally(
          client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true })),
        );
        const names = await recordKeys(tenantId);
        if (names.has(own)) return true;
        const now = clock.now();
        const expired: string[] = [];
        for (const [id, place] of Object.entries(Item?.['creating']?.M ?? {})) {
          if (Number(place.M?.['untilMs']?.N) > now) names.add(place.M?.['name']?.S ?? '');
          else expired.push(id);
        }
        if (!names.has(own) && names.size >= max) return false;
        const place = { M: { name: { S: own }, untilMs: { N: String(now + SCHEMA_PLACE_KEPT_MS) } } };
        const command =
          Item === undefined
            ? new PutItemCommand({
                TableName,
                Item: { ...Key, version: { N: '1' }, creating: { M: { [incarnation]: place } } },
                ConditionExpression: 'attribute_not_exists(pk)',
              })
            : withPlace({ Key, version: Number(Item['version']?.N), incarnation, place, expired });
        if ((await conditionally(send(command))) !== undefined) return true;
        await pause(Math.random() * WRITE_PAUSE_MS_MAX);
      }
      throw new PenstockError('UNAVAILABLE', 'Many schemas are being created at once; try again');
    },

    async leave({ tenantId, incarnation }: SchemaRecord) {
      const command = new UpdateItemCommand({
        TableName,
        Key: keyOf(tenantId),
        UpdateExpression: 'REMOVE creating.#own',
        ConditionExpression: 'attribute_exists(creating.#own)',
        ExpressionAttributeNames: { '#own': incarnation },
      });
      await conditionally(client.send(command)).catch(() => undefined);
    },
  } satisfies SchemaPlaces);
}
