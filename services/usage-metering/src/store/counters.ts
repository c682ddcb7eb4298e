/**
 * The daily counters: table `<prefix>-usage`, partition key `tenantId`, sort key `day` (`YYYY-MM-DD`, UTC), attributes
 * `requests`, `rowsReturned`, `readHalfUnits`, and `appliedTo`: the ID of the last stream entry counted in the item.
 *
 * | access                          | by                                                                     |
 * |---------------------------------|------------------------------------------------------------------------|
 * | add a batch of one day          | update on condition that `appliedTo` is what was read                  |
 * | what a day has, before adding   | get, strongly consistent                                               |
 * | days of a summary               | query of the tenant, `day` between two dates, strongly consistent      |
 */
import { GetItemCommand, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { fromItem } from '@penstock/common/store/item.ts';
import type { Item } from '@penstock/common/store/item.ts';
import { z } from 'zod';
import type { Counts } from '../counts.ts';

/** A day of a tenant as it was read. */
export interface DayCounter {
  readonly day: string;
  readonly counts: Counts;
  /** Entries up to this one are counted; null: none are. */
  readonly appliedTo: string | null;
}

/** Each rejects with UNAVAILABLE where the table cannot be reached, or refuses for a while. */
export interface CounterStore {
  /** Strongly consistent; null where nothing was counted. */
  get(tenantId: string, day: string): Promise<DayCounter | null>;
  /** Adds, and moves `appliedTo`. False, and nothing done, where it is not `previous` any more. */
  add(
    tenantId: string,
    day: string,
    counts: Counts,
    applied: { previous: string | null; to: string },
  ): Promise<boolean>;
  /** Days with use from `first` to `last`, both inclusive, in order; strongly consistent. */
  range(tenantId: string, first: string, last: string): Promise<DayCounter[]>;
}

const counterSchema = z.object({
  day: z.string(),
  requests: z.number(),
  rowsReturned: z.number(),
  readHalfUnits: z.number(),
  appliedTo: z.string(),
});

function toCounter(item: Item): DayCounter {
  const { day, appliedTo, ...counts } = counterSchema.parse(fromItem(item));
  return { day, counts, appliedTo };
}

/** Errors that say that the request itself is wrong: trying again helps nobody. */
const ourFault = new Set(['ValidationException', 'AccessDeniedException', 'ResourceNotFoundException']);

function unavailable(error: unknown): unknown {
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
    async add(tenantId, day, counts, { previous, to }) {
      const update = new UpdateItemCommand({
        TableName,
        Key: { tenantId: { S: tenantId }, day: { S: day } },
        UpdateExpression:
          'ADD requests :requests, rowsReturned :rows, readHalfUnits :halfUnits SET appliedTo = :to',
        ConditionExpression: previous === null ? 'attribute_not_exists(appliedTo)' : 'appliedTo = :previous',
        ExpressionAttributeValues: {
          ':requests': { N: String(counts.requests) },
          ':rows': { N: String(counts.rowsReturned) },
          ':halfUnits': { N: String(counts.readHalfUnits) },
          ':to': { S: to },
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
