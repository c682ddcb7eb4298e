import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
  type AttributeValue,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import type { RoleClaim } from '../claims/claim.ts';
import { CLAIM_LOANS_MAX, CLAIM_REFUSED_MAX } from '../limits.ts';
import { conditionally, unconditionally, type StoredItem } from './stored-item.ts';

/** Where claims are kept. Reads are consistent; every change is one conditional write. */
export interface ClaimStore {
  /** Null where nobody has claimed the pair. */
  get(claimId: string): Promise<RoleClaim | null>;
  /** False, and nothing stored, where the pair is claimed: of parallel calls one gets true. */
  create(claim: RoleClaim): Promise<boolean>;
  /** Removes the claim where it is this tenant's; any tenant's where that is null. What it was, or null. */
  remove(claimId: string, tenantId: string | null): Promise<RoleClaim | null>;
  /** Makes another tenant the owner; null where there is no such claim. */
  move(claimId: string, tenantId: string, claimedAt: string): Promise<RoleClaim | null>;
  /** Lets another tenant use it as well. Null where there is no such claim or too many have it. */
  lend(claimId: string, tenantId: string): Promise<RoleClaim | null>;
  /** Ends what `lend` began; null where there is no such claim. */
  endLoan(claimId: string, tenantId: string): Promise<RoleClaim | null>;
  /** Keeps that a tenant was refused it, as long as there is room. */
  noteRefused(claimId: string, tenantId: string): Promise<void>;
  /** Claims by ID, after the one given (null: from the start). */
  page(page: { after: string | null; limit: number }): Promise<{
    readonly claims: readonly RoleClaim[];
    /** True when at least one more follows. */
    readonly more: boolean;
  }>;
}

/** The partition of all claims: the operator lists them without a scan, and DynamoDB splits it where it gets hot. */
const PARTITION = 'claims';

const keyOf = (claimId: string): StoredItem => ({ pk: { S: PARTITION }, sk: { S: claimId } });

function fromItem(item: StoredItem): RoleClaim {
  const text = (name: string): string => item[name]?.S ?? '';
  const set = (name: string): readonly string[] => Object.freeze([...(item[name]?.SS ?? [])].sort());
  return Object.freeze({
    kind: 'claim',
    claimId: text('sk'),
    roleArn: text('roleArn'),
    tenantId: text('tenantId'),
    claimedAt: text('claimedAt'),
    lentTo: set('lentTo'),
    refused: set('refused'),
  });
}

/** Claims in the control-plane table. */
export function createClaimStore(table: { client: DynamoDBClient; tableName: string }): ClaimStore {
  const { client, tableName: TableName } = table;

  async function update(
    claimId: string,
    change: { update: string; condition?: string; values: Record<string, AttributeValue> },
  ): Promise<RoleClaim | null> {
    const answer = await conditionally(
      client.send(
        new UpdateItemCommand({
          TableName,
          Key: keyOf(claimId),
          UpdateExpression: change.update,
          ConditionExpression: `attribute_exists(pk)${change.condition === undefined ? '' : ` AND (${change.condition})`}`,
          ExpressionAttributeValues: change.values,
          ReturnValues: 'ALL_NEW',
        }),
      ),
    );
    return answer?.Attributes === undefined ? null : fromItem(answer.Attributes);
  }

  return Object.freeze({
    async get(claimId: string) {
      const command = new GetItemCommand({ TableName, Key: keyOf(claimId), ConsistentRead: true });
      const { Item } = await unconditionally(client.send(command));
      return Item === undefined ? null : fromItem(Item);
    },

    async create({ claimId, roleArn, tenantId, claimedAt }: RoleClaim) {
      const command = new PutItemCommand({
        TableName,
        Item: {
          ...keyOf(claimId),
          roleArn: { S: roleArn },
          tenantId: { S: tenantId },
          claimedAt: { S: claimedAt },
        },
        ConditionExpression: 'attribute_not_exists(pk)',
      });
      return (await conditionally(client.send(command))) !== undefined;
    },

    async remove(claimId: string, tenantId: string | null) {
      const command = new DeleteItemCommand({
        TableName,
        Key: keyOf(claimId),
        ReturnValues: 'ALL_OLD',
        ...(tenantId === null
          ? {}
          : {
              ConditionExpression: 'tenantId = :tenant',
              ExpressionAttributeValues: { ':tenant': { S: tenantId } },
            }),
      });
      const answer = await conditionally(client.send(command));
      return answer?.Attributes === undefined ? null : fromItem(answer.Attributes);
    },

    move: (claimId: string, tenantId: string, claimedAt: string) =>
      update(claimId, {
        update: 'SET tenantId = :tenant, claimedAt = :now DELETE lentTo :set, refused :set',
        values: { ':tenant': { S: tenantId }, ':now': { S: claimedAt }, ':set': { SS: [tenantId] } },
      }),

    lend: (claimId: string, tenantId: string) =>
      update(claimId, {
        update: 'ADD lentTo :set DELETE refused :set',
        condition: 'attribute_not_exists(lentTo) OR contains(lentTo, :tenant) OR size(lentTo) < :max',
        values: {
          ':set': { SS: [tenantId] },
          ':tenant': { S: tenantId },
          ':max': { N: String(CLAIM_LOANS_MAX) },
        },
      }),

    endLoan: (claimId: string, tenantId: string) =>
      update(claimId, { update: 'DELETE lentTo :set', values: { ':set': { SS: [tenantId] } } }),

    async noteRefused(claimId: string, tenantId: string) {
      await update(claimId, {
        update: 'ADD refused :set',
        condition: 'attribute_not_exists(refused) OR size(refused) < :max',
        values: { ':set': { SS: [tenantId] }, ':max': { N: String(CLAIM_REFUSED_MAX) } },
      });
    },

    async page({ after, limit }: { after: string | null; limit: number }) {
      const claims: RoleClaim[] = [];
      let from: StoredItem | undefined = after === null ? undefined : keyOf(after);
      do {
        const command: QueryCommand = new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': { S: PARTITION } },
          ConsistentRead: true,
          // One more than asked tells whether more follow.
          Limit: limit + 1 - claims.length,
          ...(from === undefined ? {} : { ExclusiveStartKey: from }),
        });
        const { Items = [], LastEvaluatedKey } = await unconditionally(client.send(command));
        claims.push(...Items.map(fromItem));
        from = LastEvaluatedKey;
      } while (from !== undefined && claims.length <= limit);
      return Object.freeze({ claims: claims.slice(0, limit), more: claims.length > limit });
    },
  });
}
