import {
  DescribeTableCommand,
  ListTablesCommand,
  ScanCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { toPenstockError } from '@penstock/common/dynamodb/errors.ts';
import { sendRaw } from '@penstock/common/dynamodb/raw-body.ts';
import type { TenantClients } from '@penstock/common/dynamodb/tenant-client.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Item } from '../metadata/item-value.ts';
import type { OpenTenantTables, ScanPage, TenantTables } from '../metadata/tenant-tables.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';
import { toTableDescription } from './describe-table.ts';

/** A scan's answer as it comes over the wire; binary values are base64 text there. */
interface ScanBody {
  readonly Items?: readonly Item[];
  readonly LastEvaluatedKey?: object;
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number };
}

/** Tables reached through the shared clients: cached credentials, renewed when they end early. */
export function openTenantTables(clients: TenantClients): OpenTenantTables {
  return (record, requestId) => tenantTables(clients, record, requestId);
}

function tenantTables(clients: TenantClients, record: SchemaRecord, requestId: string): TenantTables {
  const connect = (signal: AbortSignal): Promise<DynamoDBClient> =>
    clients.clientFor(record.tenantId, record, requestId, signal);

  async function reach<T>(
    tableName: string,
    signal: AbortSignal,
    call: (client: DynamoDBClient) => Promise<T>,
  ): Promise<T> {
    try {
      return await call(await connect(signal));
    } catch (error) {
      throw toPenstockError(error, { schemaName: record.schemaName, tableName });
    }
  }

  return Object.freeze({
    async connect(signal: AbortSignal) {
      await connect(signal);
    },

    describe(tableName: string, signal: AbortSignal) {
      return reach(tableName, signal, async (client) => {
        const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }), {
          abortSignal: signal,
        });
        const readable =
          Table !== undefined && Table.TableStatus !== 'CREATING' && Table.TableStatus !== 'DELETING';
        if (!readable)
          throw new PenstockError('TABLE_NOT_FOUND', `Table not found: ${record.schemaName}.${tableName}`);
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
        const body = JSON.parse((await sendRaw(client, command, signal)).toString()) as ScanBody;
        return {
          items: body.Items ?? [],
          readUnits: body.ConsumedCapacity?.CapacityUnits ?? 0,
          ended: body.LastEvaluatedKey === undefined,
        };
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
