/** The local AWS endpoint with tables for reader tests, and a client that reads as the engine does. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  type AttributeValue,
  type GlobalSecondaryIndex,
} from '@aws-sdk/client-dynamodb';
import { allowRawReads } from '@penstock/common/dynamodb/raw-reads.ts';
import { startAwsEndpoint } from '../../../../deploy/local/src/aws/server.ts';
import { allKeyAttributes, queryKey, type CatalogTable, type IndexKey } from '../../src/catalog/table.ts';
import { textOf } from '../../src/dynamodb/column-batch.ts';
import { createUnitMeter } from '../../src/execution/unit-meter.ts';
import { createPacer } from '../../src/dynamodb/reader/pacer.ts';
import { runInOneGo } from '../../src/scheduling/sliced-work.ts';
import { readTable, type ReadBatch, type ReadContext } from '../../src/dynamodb/read-table.ts';
import type { TableRead } from '../../src/dynamodb/table-read.ts';

const ACCOUNT = '111122223333';

export interface LoggedRequest {
  readonly operation: string;
  readonly tableName: string;
  readonly indexName: string | null;
  readonly keyCondition: string | null;
  /** How many a GetItem or BatchGetItem names; null for others. */
  readonly keys: number | null;
  readonly segment: number | null;
  readonly limit: number | null;
  readonly consumedUnits: number;
  /** ISO 8601, when the answer was ready. */
  readonly at: string;
  readonly error: string | null;
}

export type TestAws = Awaited<ReturnType<typeof startTestAws>>;

export async function startTestAws() {
  const dataDir = await mkdtemp(join(tmpdir(), 'reader-aws-'));
  const endpoint = await startAwsEndpoint({ port: 0, host: '127.0.0.1', dataDir });
  const client = new DynamoDBClient({
    endpoint: endpoint.url,
    region: 'eu-west-1',
    credentials: { accessKeyId: ACCOUNT, secretAccessKey: 'test' },
    maxAttempts: 1,
  });
  allowRawReads(client);
  const requests = `${endpoint.url}/_requests?accountId=${ACCOUNT}`;
  return {
    client,
    endpoint: endpoint.url,
    accountId: ACCOUNT,
    /** What the account was asked since the last clearing, writes left out. */
    requests: async () =>
      ((await (await fetch(requests)).json()) as LoggedRequest[]).filter(
        ({ operation }) => !/Write|Create|Describe/.test(operation),
      ),
    clear: () => fetch(requests, { method: 'DELETE' }),
    faults: (rules: readonly object[]) =>
      fetch(`${endpoint.url}/_faults`, {
        method: 'PUT',
        body: JSON.stringify(rules.map((rule) => ({ accountId: ACCOUNT, ...rule }))),
      }),
    async close() {
      client.destroy();
      await endpoint.close();
      await rm(dataDir, { recursive: true, force: true });
    },
    /** Makes the table that the catalog describes. */
    async create(
      { tableName, key, indexes }: CatalogTable,
      items: readonly Record<string, AttributeValue>[],
    ) {
      const attributes = new Map(allKeyAttributes({ key, indexes }).map(({ name, type }) => [name, type]));
      const schemaOf = ({ partitionKeys, sortKeys }: IndexKey): GlobalSecondaryIndex['KeySchema'] => [
        ...partitionKeys.map(({ name }) => ({ AttributeName: name, KeyType: 'HASH' as const })),
        ...sortKeys.map(({ name }) => ({ AttributeName: name, KeyType: 'RANGE' as const })),
      ];
      await client.send(
        new CreateTableCommand({
          TableName: tableName,
          BillingMode: 'PAY_PER_REQUEST',
          KeySchema: schemaOf(queryKey({ key }, null)),
          AttributeDefinitions: [...attributes].map(([AttributeName, AttributeType]) => ({
            AttributeName,
            AttributeType,
          })),
          ...(indexes.length === 0
            ? {}
            : {
                GlobalSecondaryIndexes: indexes.map((index) => ({
                  IndexName: index.name,
                  KeySchema: schemaOf(index.key),
                  Projection: { ProjectionType: 'ALL' as const },
                })),
              }),
        }),
      );
      for (let i = 0; i < items.length; i += 25)
        await client.send(
          new BatchWriteItemCommand({
            RequestItems: { [tableName]: items.slice(i, i + 25).map((Item) => ({ PutRequest: { Item } })) },
          }),
        );
    },
  };
}

export function readContext(client: DynamoDBClient, more: Partial<ReadContext> = {}): ReadContext {
  return {
    client,
    signal: new AbortController().signal,
    pacer: createPacer(),
    schemaName: 'shop',
    runSliced: runInOneGo,
    enterPage: async () => () => undefined,
    limitsOf: () => null,
    meter: createUnitMeter(),
    ...more,
  };
}

/** All rows in order, as the values of their columns. */
export async function rowsOf(read: TableRead, context: ReadContext): Promise<(string | null)[][]> {
  const parts: ReadBatch[] = [];
  for await (const part of readTable(read, context)) parts.push(part);
  // Sorting is stable: within a segment, arrival decides.
  parts.sort((a, b) => a.segment - b.segment);
  return parts.flatMap(({ batch }) =>
    Array.from({ length: batch.rowCount }, (_, row) => batch.columns.map((column) => textOf(column, row))),
  );
}
