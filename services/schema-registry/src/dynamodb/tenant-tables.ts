import {
  DescribeTableCommand,
  ListTablesCommand,
  QueryCommand,
  ScanCommand,
  type AttributeValue,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { abortable } from '@penstock/common/aws/abortable.ts';
import { accessForTable } from '@penstock/common/aws/session-policy.ts';
import { toPenstockError } from '@penstock/common/dynamodb/errors.ts';
import { sendRaw } from '@penstock/common/dynamodb/raw-reads.ts';
import type { TenantClients } from '@penstock/common/dynamodb/tenant-client.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { RoleClaims } from '../claims/role-claims.ts';
import type { KeyAttribute, SecondaryIndex, TableDescription } from '../metadata/table-metadata.ts';
import type { Item } from '../metadata/item-value.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';
import { toTableDescription } from './describe-table.ts';
import { whyUnreadable } from './table-status.ts';

/** One page of one segment. */
export interface ScanPage {
  readonly items: readonly Item[];
  /** Read units that the page consumed. */
  readonly readUnits: number;
  /** True when the segment holds nothing more. */
  readonly ended: boolean;
}

/**
 * A tenant's tables as its access role shows them. Every call throws PenstockErrors: ACCESS_DENIED (the role cannot be
 * assumed, or lacks the action that the message names), TABLE_NOT_FOUND, THROTTLED, UNAVAILABLE, TIMEOUT.
 */
export interface TenantTables {
  /** Assumes the role, unless credentials of it are at hand; nothing is asked of DynamoDB. */
  connect(signal: AbortSignal): Promise<void>;
  /** DescribeTable: consumes no read units. */
  describe(tableName: string, signal: AbortSignal): Promise<TableDescription>;
  /** The first page of a segment. */
  scan(
    tableName: string,
    part: { segment: number; totalSegments: number; limit: number },
    signal: AbortSignal,
  ): Promise<ScanPage>;
  /** Asks an index for one item, to see whether that is allowed. */
  probeIndex(
    tableName: string,
    index: SecondaryIndex,
    action: 'dynamodb:Query' | 'dynamodb:Scan',
    signal: AbortSignal,
  ): Promise<void>;
  /** All table names of account and region, in DynamoDB's order. */
  list(signal: AbortSignal): Promise<readonly string[]>;
}

/** Opens a schema's tables through its role; does nothing by itself. */
export type OpenTenantTables = (record: SchemaRecord, requestId: string) => TenantTables;

/** Keys that a probe asks for; it does not matter whether they are there. */
const PROBED_VALUES: Readonly<Record<KeyAttribute['type'], AttributeValue>> = Object.freeze({
  S: { S: 'penstock' },
  N: { N: '0' },
  B: { B: new Uint8Array([0]) },
});

/** A scan's answer as it comes over the wire; binary values are base64 text there. */
interface ScanBody {
  readonly Items?: readonly Item[];
  readonly LastEvaluatedKey?: object;
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number };
}

/**
 * Tables reached through the shared clients: cached credentials, renewed when they end early. Nothing is asked of them
 * before the role is the tenant's.
 */
export function openTenantTables(clients: TenantClients, hold: RoleClaims['hold']): OpenTenantTables {
  return (record, requestId) => tenantTables(clients, hold, record, requestId);
}

function tenantTables(
  clients: TenantClients,
  hold: RoleClaims['hold'],
  record: SchemaRecord,
  requestId: string,
): TenantTables {
  async function connect(tableName: string, signal: AbortSignal): Promise<DynamoDBClient> {
    const access = accessForTable(record, tableName);
    const client = await clients.clientFor(record.tenantId, access, requestId, signal);
    await hold(record);
    return client;
  }

  async function reach<T>(
    tableName: string,
    signal: AbortSignal,
    call: (client: DynamoDBClient) => Promise<T>,
  ): Promise<T> {
    try {
      return await call(await connect(tableName, signal));
    } catch (error) {
      throw toPenstockError(error, { schemaName: record.schemaName, tableName });
    }
  }

  return Object.freeze({
    async connect(signal: AbortSignal) {
      await connect(record.tableAllowlist[0] ?? '*', signal);
    },

    describe(tableName: string, signal: AbortSignal) {
      return reach(tableName, signal, async (client) => {
        const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }), {
          abortSignal: signal,
        });
        const place = `${record.schemaName}.${tableName}`;
        if (Table === undefined) throw new PenstockError('TABLE_NOT_FOUND', `Table not found: ${place}`);
        const unreadable = whyUnreadable(place, Table.TableStatus);
        if (unreadable !== null) throw unreadable;
        return toTableDescription(Table);
      });
    },

    scan(
      tableName: string,
      part: { segment: number; totalSegments: number; limit: number },
      signal: AbortSignal,
    ) {
      return reach(tableName, signal, async (client): Promise<ScanPage> => {
        const command = new ScanCommand({
          TableName: tableName,
          Segment: part.segment,
          TotalSegments: part.totalSegments,
          Limit: part.limit,
          ReturnConsumedCapacity: 'TOTAL',
        });
        const body = JSON.parse(
          (await abortable(sendRaw(client, command, signal), signal)).toString(),
        ) as ScanBody;
        return {
          items: body.Items ?? [],
          readUnits: body.ConsumedCapacity?.CapacityUnits ?? 0,
          ended: body.LastEvaluatedKey === undefined,
        };
      });
    },

    probeIndex(
      tableName: string,
      { name, key }: SecondaryIndex,
      action: 'dynamodb:Query' | 'dynamodb:Scan',
      signal: AbortSignal,
    ) {
      return reach(tableName, signal, async (client) => {
        const asked = { TableName: tableName, IndexName: name, Limit: 1, Select: 'COUNT' as const };
        const names = key.partitionKeys.map(({ name: keyName }, at) => [`#key${at}`, keyName] as const);
        const values = key.partitionKeys.map(({ type }, at) => [`:value${at}`, PROBED_VALUES[type]] as const);
        const command =
          action === 'dynamodb:Scan'
            ? new ScanCommand(asked)
            : new QueryCommand({
                ...asked,
                KeyConditionExpression: names.map(([token], at) => `${token} = :value${at}`).join(' AND '),
                ExpressionAttributeNames: Object.fromEntries<string>(names),
                ExpressionAttributeValues: Object.fromEntries<AttributeValue>(values),
              });
        await abortable(sendRaw(client, command, signal), signal);
      });
    },

    list(signal: AbortSignal) {
      return reach('*', signal, async (client) => {
        const names: string[] = [];
        for (let from: string | undefined; ;) {
          const page = await client.send(
            new ListTablesCommand(from === undefined ? {} : { ExclusiveStartTableName: from }),
            { abortSignal: signal },
          );
          names.push(...(page.TableNames ?? []));
          from = page.LastEvaluatedTableName;
          if (from === undefined) return names;
        }
      });
    },
  });
}
