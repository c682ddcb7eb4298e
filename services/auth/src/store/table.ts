/**
 * The one table of auth, `<prefix>-auth`: partition key `pk`, sort key `sk`, TTL attribute `expiresAt` (epoch seconds).
 *
 * | item                  | pk                | sk             | access                                              |
 * |-----------------------|-------------------|----------------|-----------------------------------------------------|
 * | tenant                | TENANT#<tenant>   | TENANT         | by ID; its limits at each token                     |
 * | API client            | TENANT#<tenant>   | CLIENT#<id>    | by tenant and ID; list of a tenant                  |
 * | portal user           | TENANT#<tenant>   | USER#<id>      | by tenant and ID; list of a tenant                  |
 * | tenant in the list    | TENANTS           | <tenant>       | list of all tenants (admin only)                    |
 * | tenant of a client    | CLIENT#<id>       | TENANT         | by client ID; never changes                         |
 * | tenant of a user      | USER#<id>         | TENANT         | by user ID; never changes                           |
 * | user of an address    | EMAIL#<address>   | USER           | by e-mail address, lower case; the first one's      |
 * | others of an address  | EMAIL#<address>   | USER#<tenant>  | as the first; keeps addresses unique in a tenant    |
 * | refresh token         | REFRESH#<hash>    | REFRESH        | by hash; expires; of versions that stored them      |
 * | enrollment             | ENROLL#<hash>     | ENROLL         | by hash; expires                                    |
 * | budget by the operator | BUDGETS          | <tenant>#<id>  | list of all, or of a tenant; its own has no ID      |
 * | budget by its tenant  | TENANT_BUDGETS    | <tenant>#<id>  | as a budget; the operator cannot be overruled by it |
 * | version of budgets    | BUDGETS_VERSION   | VERSION        | another one after each change                       |
 * | revocation            | REVOCATIONS       | <principal>    | list of those that still matter; expires            |
 * | signing keys          | SIGNING_KEYS      | RING           | one item, so that a rotation is one write           |
 * | keys in use           | SEALING_KEYS      | IDS            | one item; which keys sealed what is in the table    |
 * | OAuth model           | OAUTH#<m>#<hash>  | MODEL          | by model and hash of its ID; expires                |
 * | registered client     | OAUTH_CLIENT#<id> | CLIENT         | by ID; expires until somebody has let it in         |
 * | sign-in               | SIGN_IN#<hash>    | SIGN_IN        | by hash of its interaction; expires                 |
 * | passkey               | PASSKEY#<id>      | PASSKEY        | by credential ID                                    |
 * | passkey of a user     | USER#<id>         | PASSKEY#<id>   | list of a user                                      |
 * | pending answer        | PENDING#<hash>    | PENDING        | by hash of what it is for; expires, taken once      |
 * | console session       | USER#<id>         | SESSION#<hash> | by user and hash of its token; list of a user; expires |
 * | consent               | USER#<id>         | CONSENT#<agent>#<grant> | list of a user; expires with the grant      |
 * | saved query           | TENANT#<tenant>   | QUERY#<id>     | by tenant and ID; list of a tenant                  |
 * | earlier text of it    | TENANT#<tenant>   | QUERY_TEXT#<id>#<place> | list of a query; as many places as are kept |
 * | name of a saved query | TENANT#<tenant>   | QUERY_NAME#<hash> | by name; keeps names unique in the tenant        |
 *
 * No scans and no transactions: where two items belong together, the one that nothing can be reached by without the
 * other is written first, so a process that dies in between leaves an item that nobody finds.
 *
 * Every item carries `version`, and every change is conditional on the version that was read. DynamoDB deletes expired
 * items when it gets to it (up to days later), so expiry is checked at each read.
 */
import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { findTable } from '@penstock/common/store/await-table.ts';
import { fromItem, toItem } from '@penstock/common/store/item.ts';
import type { Item, ItemValue } from '@penstock/common/store/item.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { z } from 'zod';

/** What a record of ours is made of. */
export type Values = Readonly<Record<string, ItemValue | undefined>>;

export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/** An item as it was read. */
interface StoredItem {
  readonly key: ItemKey;
  readonly version: number;
  readonly values: Values;
}

/** An item to write. */
interface NewItem {
  readonly key: ItemKey;
  readonly values: Values;
  /** Epoch seconds; null: stays. */
  readonly expiresAtS: number | null;
}

/** All methods throw `UNAVAILABLE` where DynamoDB cannot be reached or has no capacity. */
export interface AuthTable {
  /** Strongly consistent; an expired item is absent. */
  read(key: ItemKey): Promise<StoredItem | null>;
  /** False where the item exists. */
  create(item: NewItem): Promise<boolean>;
  /** False where the item is no longer the version that was read. */
  replace(previous: StoredItem, item: NewItem): Promise<boolean>;
  /** Writes the item, whatever is there. */
  put(item: NewItem): Promise<void>;
  /**
   * Gives a living item an attribute that it does not have yet, in one conditional write: of parallel calls one gets
   * true. False, too, where there is no such item.
   */
  setOnce(key: ItemKey, name: string, value: ItemValue): Promise<boolean>;
  /** Deletes the item and gives what it was: of parallel calls one gets it, the others null. */
  take(key: ItemKey): Promise<StoredItem | null>;
  /** The items of a partition, by sort key; strongly consistent. */
  list(pk: string, skPrefix: string): Promise<StoredItem[]>;
  /** Another one where the table was deleted and made again; null while there is none. */
  identity(): Promise<string | null>;
}

const bookkeeping = new Set(['pk', 'sk', 'version', 'expiresAt']);
/** Errors that say that the request itself is wrong: trying again helps nobody. */
const ourFault = new Set(['ValidationException', 'AccessDeniedException']);

function translate(error: unknown): unknown {
  // This error says more: the table is missing.
  if (error instanceof PenstockError) return error;
  if (error instanceof Error && ourFault.has(error.name)) return error;
  return new PenstockError('UNAVAILABLE', 'The auth service cannot reach its data; try again', {
    cause: error,
  });
}

async function conditionally(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw translate(error);
  }
}

const keySchema = z.object({ pk: z.string(), sk: z.string() });
/** DynamoDB's bounds of keys, in bytes of UTF-8 (Developer Guide, "Quotas"). */
const PARTITION_KEY_BYTES_MAX = 2_048;
const SORT_KEY_BYTES_MAX = 1_024;

/** False where no item can have the key: the part of it that a caller chose is too long. */
const isPossible = ({ pk, sk }: ItemKey): boolean =>
  Buffer.byteLength(pk) <= PARTITION_KEY_BYTES_MAX && Buffer.byteLength(sk) <= SORT_KEY_BYTES_MAX;

const keyOf = ({ pk, sk }: ItemKey): Item => ({ pk: { S: pk }, sk: { S: sk } });

export function openAuthTable(options: {
  client: DynamoDBClient;
  tableName: string;
  clock: Clock;
}): AuthTable {
  const { client, tableName: TableName, clock } = options;
  const nowS = (): number => Math.floor(clock.now() / 1000);

  function toStored(item: Item): StoredItem | null {
    const all = fromItem(item);
    if (typeof all['expiresAt'] === 'number' && all['expiresAt'] <= nowS()) return null;
    return {
      key: keySchema.parse(all),
      version: Number(all['version']),
      values: Object.fromEntries(Object.entries(all).filter(([name]) => !bookkeeping.has(name))),
    };
  }

  function toStore({ key, values, expiresAtS }: NewItem, version: number): Item {
    return toItem({ ...values, ...key, version, expiresAt: expiresAtS ?? undefined });
  }

  return {
    async read(key) {
      if (!isPossible(key)) return null;
      const request = new GetItemCommand({ TableName, Key: keyOf(key), ConsistentRead: true });
      const { Item } = await client
        .send(request)
        .catch((error: unknown) => Promise.reject(translate(error) as Error));
      return Item === undefined ? null : toStored(Item);
    },
    create(item) {
      const request = new PutItemCommand({
        TableName,
        Item: toStore(item, 1),
        ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
        ExpressionAttributeValues: { ':now': { N: String(nowS()) } },
      });
      return conditionally(client.send(request));
    },
    replace(previous, item) {
      const request = new PutItemCommand({
        TableName,
        Item: toStore(item, previous.version + 1),
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: { ':version': { N: String(previous.version) } },
      });
      return conditionally(client.send(request));
    },
    async put(item) {
      await client
        .send(new PutItemCommand({ TableName, Item: toStore(item, 1) }))
        .catch((error: unknown) => Promise.reject(translate(error) as Error));
    },
    async setOnce(key, name, value) {
      if (!isPossible(key)) return false;
      const request = new UpdateItemCommand({
        TableName,
        Key: keyOf(key),
        UpdateExpression: 'SET #name = :value ADD version :one',
        ConditionExpression:
          'attribute_exists(pk) AND attribute_not_exists(#name) AND (attribute_not_exists(expiresAt) OR expiresAt > :now)',
        ExpressionAttributeNames: { '#name': name },
        ExpressionAttributeValues: toItem({ ':value': value, ':one': 1, ':now': nowS() }),
      });
      return conditionally(client.send(request));
    },
    async take(key) {
      if (!isPossible(key)) return null;
      const request = new DeleteItemCommand({ TableName, Key: keyOf(key), ReturnValues: 'ALL_OLD' });
      const { Attributes } = await client
        .send(request)
        .catch((error: unknown) => Promise.reject(translate(error) as Error));
      return Attributes === undefined ? null : toStored(Attributes);
    },
    async list(pk, skPrefix) {
      if (!isPossible({ pk, sk: skPrefix })) return [];
      const found: StoredItem[] = [];
      let ExclusiveStartKey: Item | undefined;
      do {
        const page = await client
          .send(
            new QueryCommand({
              TableName,
              ConsistentRead: true,
              ...(skPrefix === ''
                ? { KeyConditionExpression: 'pk = :pk' }
                : { KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)' }),
              ExpressionAttributeValues: {
                ':pk': { S: pk },
                ...(skPrefix === '' ? {} : { ':sk': { S: skPrefix } }),
              },
              ...(ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }),
            }),
          )
          .catch((error: unknown) => Promise.reject(translate(error) as Error));
        for (const item of page.Items ?? []) {
          const stored = toStored(item);
          if (stored !== null) found.push(stored);
        }
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey !== undefined);
      return found;
    },
    async identity() {
      const found = await findTable(client, TableName).catch((error: unknown) =>
        Promise.reject(translate(error) as Error),
      );
      return found?.identity ?? null;
    },
  };
}
