import {
  GetItemCommand,
  UpdateItemCommand,
  type AttributeValue,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '@penstock/common/time/clock.ts';
import { REFRESH_LEASE_MS } from '../limits.ts';
import type { MetadataOwner } from './metadata-store.ts';
import type { EndedRefresh, RefreshState } from '../metadata/refresh-state.ts';
import { expiry, metadataKey, REFRESH_KEY } from './metadata-items.ts';
import { conditionally, unconditionally } from './stored-item.ts';

/** Lets one refresh of a schema run at a time, whatever the replica. A lease lasts REFRESH_LEASE_MS unless renewed. */
export interface RefreshStateStore {
  /** Consistent. */
  read(owner: MetadataOwner): Promise<RefreshState>;
  /** True when the lease is now the holder's; false where another holds it. */
  acquire(owner: MetadataOwner, holder: string): Promise<boolean>;
  /** False where the lease has been lost. */
  renew(owner: MetadataOwner, holder: string): Promise<boolean>;
  /** Gives the lease up and, where the refresh got through, keeps how it went. */
  release(owner: MetadataOwner, holder: string, ended: EndedRefresh | null): Promise<void>;
}

/** Leases and ends of refreshes in the control-plane table. */
export function createRefreshStateStore(table: {
  client: DynamoDBClient;
  tableName: string;
  clock: Clock;
}): RefreshStateStore {
  const { client, tableName: TableName, clock } = table;

  async function update(
    owner: MetadataOwner,
    change: { update: string; condition: string; values: Record<string, AttributeValue> },
  ): Promise<boolean> {
    const command = new UpdateItemCommand({
      TableName,
      Key: metadataKey(owner, REFRESH_KEY),
      UpdateExpression: change.update,
      ConditionExpression: change.condition,
      ExpressionAttributeValues: change.values,
    });
    return (await conditionally(client.send(command))) !== undefined;
  }

  const millis = (ms: number): AttributeValue => ({ N: String(ms) });

  return Object.freeze({
    async read(owner: MetadataOwner): Promise<RefreshState> {
      const command = new GetItemCommand({
        TableName,
        Key: metadataKey(owner, REFRESH_KEY),
        ConsistentRead: true,
      });
      const { Item } = await unconditionally(client.send(command));
      const held = Number(Item?.['heldUntil']?.N ?? 0) > clock.now();
      const ended = Item?.['ended']?.S;
      return Object.freeze({
        ended: ended === undefined ? null : (JSON.parse(ended) as EndedRefresh),
        holder: held ? (Item?.['holder']?.S ?? null) : null,
      });
    },

    acquire(owner: MetadataOwner, holder: string) {
      const now = clock.now();
      return update(owner, {
        update: 'SET holder = :holder, heldUntil = :until, expiresAt = :expiresAt',
        condition: 'attribute_not_exists(heldUntil) OR heldUntil <= :now',
        values: {
          ':holder': { S: holder },
          ':until': millis(now + REFRESH_LEASE_MS),
          ':now': millis(now),
          ':expiresAt': expiry(now)['expiresAt'] ?? millis(now),
        },
      });
    },

    renew(owner: MetadataOwner, holder: string) {
      return update(owner, {
        update: 'SET heldUntil = :until',
        condition: 'holder = :holder',
        values: { ':holder': { S: holder }, ':until': millis(clock.now() + REFRESH_LEASE_MS) },
      });
    },

    async release(owner: MetadataOwner, holder: string, ended: EndedRefresh | null) {
      await update(owner, {
        update: ended === null ? 'REMOVE holder, heldUntil' : 'SET ended = :ended REMOVE holder, heldUntil',
        // Where the item is gone the schema was deleted meanwhile: nothing may come back.
        condition: 'holder = :holder',
        values: {
          ':holder': { S: holder },
          ...(ended === null ? {} : { ':ended': { S: JSON.stringify(ended) } }),
        },
      });
    },
  });
}
