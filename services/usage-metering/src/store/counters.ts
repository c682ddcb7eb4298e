/**
 * The daily counters: table `<prefix>-usage`, partition key `tenantId`, sort key `day` (`YYYY-MM-DD`, UTC), attributes
 * `requests`, `rowsReturned`, `readHalfUnits`, and for each epoch of the stream `appliedTo:<epoch>`: the ID of the last
 * entry of it that is counted in the item; of entries without an epoch, from before there were any, `appliedTo`. No epoch
 * is ever forgotten: there is one for each start of Redis that the day saw, each of some 40 bytes.
 *
 * What is counted for an API client or a user has items of its own: its `tenantId` is `<tenant>#<client or user>`.
 *
 * | access                          | by                                                                     |
 * |---------------------------------|------------------------------------------------------------------------|
 * | add a batch of one day          | update on condition that the epoch's `appliedTo` is what was read      |
 * | what a day has, before adding   | get, strongly consistent                                               |
 * | days of a summary               | query of the tenant, `day` between two dates, strongly consistent      |
 */
import { GetItemCommand, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { fromItem } from '@penstock/common/store/item.ts';
import type { Item } from '@penstock/common/store/item.ts';
import { noEpoch } from '@penstock/common/usage/epoch.ts';
import { z } from 'zod';
import type { Counts } from '../counts.ts';

/** A day of a tenant as it was read. */
interface DayCounter {
  readonly day: string;
  readonly counts: Counts;
  /** By epoch: entries up to this one are counted; of other epochs none are. */
  readonly appliedTo: ReadonlyMap<string, string>;
}

/** Each rejects with UNAVAILABLE where the table cannot be reached, or refuses for a while. */
export interface CounterStore {
  /** Strongly consistent; null where nothing was counted. */
  get(tenantId: string, day: string): Promise<DayCounter | null>;
  /** Adds, and moves `appliedTo` of the epoch. False, and nothing done, where it is not `previous` any more. */
  add(
    tenantId: string,
    day: string,
    counts: Counts,
    applied: { epoch: string; previous: string | null; to: string },
  ): Promise<boolean>;
  /** Days with use from `first` to `last`, both inclusive, in order; strongly consistent. */
  range(tenantId: string, first: string, last: string): Promise<DayCounter[]>;
}

const counterSchema = z.looseObject({
  day: z.string(),
  requests: z.number(),
  rowsReturned: z.number(),
  readHalfUnits: z.number(),
});

/** Of entries without an epoch; also what the names for epochs begin with. */
const APPLIED_TO = 'appliedTo';
const EPOCH_PREFIX = `${APPLIED_TO}:`;

/** Before every entry that there can be. */
const BEFORE_ALL = '0-0';

const attributeOf = (epoch: string): string => (epoch === noEpoch ? APPLIED_TO : `${EPOCH_PREFIX}${epoch}`);

function toCounter(item: Item): DayCounter {
  const { day, requests, rowsReturned, readHalfUnits, ...rest } = counterSchema.parse(fromItem(item));
  const appliedTo = new Map<string, string>();
  for (const [name, value] of Object.entries(rest)) {
    if (typeof value !== 'string') continue;
    if (name === APPLIED_TO) appliedTo.set(noEpoch, value);
    else if (name.startsWith(EPOCH_PREFIX)) appliedTo.set(name.slice(EPOCH_PREFIX.length), value);
  }
  return { day, counts: { requests, rowsReturned, readHalfUnits }, appliedTo };
}

/** Errors that say that the request itself is wrong: trying again helps nobody. */
const ourFault = new Set(['ValidationException', 'AccessDeniedException']);

function unavailable(error: unknown): unknown {
  // It says more: the table is missing.
  if (error instanceof PenstockError) return error;
  if (error instanceof Error && ourFault.has(error.name)) return error;
  const message = 'The usage counters are not available; try again';
  return new PenstockError('UNAVAILABLE', message, { retryAfterS: 1, cause: error });
}

const answered = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    throw unavailable(error);
  });

export function createCounterStore(client: DynamoDBClient, TableName: string): CounterStore {
  return {
    async get(tenantId, day) {
      const Key = { tenantId: { S: tenantId }, day: { S: day } };
      const { Item } = await answered(
        client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true })),
      );
      return Item === undefined ? null : toCounter(Item);
    },
    async add(tenantId, day, counts, { epoch, previous, to }) {
      const update = new UpdateItemCommand({
        TableName,
        Key: { tenantId: { S: tenantId }, day: { S: day } },
        UpdateExpression:
          'ADD requests :requests, rowsReturned :rows, readHalfUnits :halfUnits SET #appliedTo = :to' +
          // Versions from before there were epochs read no counter without it: `helm rollback` must find it.
          (epoch === noEpoch ? '' : `, ${APPLIED_TO} = if_not_exists(${APPLIED_TO}, :beforeAll)`),
        ConditionExpression:
          previous === null ? 'attribute_not_exists(#appliedTo)' : '#appliedTo = :previous',
        ExpressionAttributeNames: { '#appliedTo': attributeOf(epoch) },
        ExpressionAttributeValues: {
          ':requests': { N: String(counts.requests) },
          ':rows': { N: String(counts.rowsReturned) },
          ':halfUnits': { N: String(counts.readHalfUnits) },
          ':to': { S: to },
          ...(epoch === noEpoch ? {} : { ':beforeAll': { S: BEFORE_ALL } }),
          ...(previous === null ? {} : { ':previous': { S: previous } }),
        },
      });
      try {
        await client.send(update);
        return true;
      } catch (error) {
        if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
        throw unavailable(error);
      }
    },
    async range(tenantId, first, last) {
      const found: DayCounter[] = [];
      let ExclusiveStartKey: Item | undefined;
      do {
        const query = new QueryCommand({
          TableName,
          ConsistentRead: true,
          KeyConditionExpression: 'tenantId = :tenant AND #day BETWEEN :first AND :last',
          ExpressionAttributeNames: { '#day': 'day' },
          ExpressionAttributeValues: {
            ':tenant': { S: tenantId },
            ':first': { S: first },
            ':last': { S: last },
          },
          ...(ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }),
        });
        const page = await answered(client.send(query));
        found.push(...(page.Items ?? []).map(toCounter));
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey !== undefined);
      return found;
    },
  };
}
