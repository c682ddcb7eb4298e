/** The local AWS endpoint with tables for tests, and a client that reads as the engine does. */
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
import { startAwsEndpoint, type AwsEndpoint } from '../../../../deploy/local/src/aws/server.ts';
import { atRunEnd } from '../../../common/test/support/run-end.ts';
import { allKeyAttributes, queryKey, type CatalogTable, type IndexKey } from '../../src/catalog/table.ts';
import { textOf } from '../../src/dynamodb/column-batch.ts';
import { createUnitMeter } from '../../src/execution/unit-meter.ts';
import { createPacer } from '../../src/dynamodb/reader/pacer.ts';
import { runInOneGo } from '../../src/scheduling/sliced-work.ts';
import { readTable, type ReadBatch, type ReadContext } from '../../src/dynamodb/read-table.ts';
import type { TableRead } from '../../src/dynamodb/table-read.ts';

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

/** Account numbers, one for each that asks. */
const FIRST_ACCOUNT = 111_122_223_333;
let accounts = 0;

let shared: Promise<AwsEndpoint> | null = null;

/** One endpoint for all tests of a process. */
function sharedEndpoint(): Promise<AwsEndpoint> {
  shared ??= startEndpoint();
  return shared;
}

async function startEndpoint(): Promise<AwsEndpoint> {
  const dataDir = await mkdtemp(join(tmpdir(), 'reader-aws-'));
  const endpoint = await startAwsEndpoint({ port: 0, host: '127.0.0.1', dataDir });
  atRunEnd(async () => {
    await endpoint.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return endpoint;
}

/**
 * An account of its own in the endpoint that all tests of the process share: its tables, its requests and its faults are
 * nobody else's.
 */
export async function startTestAws() {
  const endpoint = await sharedEndpoint();
  const accountId = String(FIRST_ACCOUNT + accounts++);
  const client = new DynamoDBClient({
    endpoint: endpoint.url,
    region: 'eu-west-1',
    credentials: { accessKeyId: accountId, secretAccessKey: 'test' },
    maxAttempts: 1,
  });
  allowRawReads(client);
  const requests = `${endpoint.url}/_requests?accountId=${accountId}`;
  const faultsUrl = `${endpoint.url}/_faults`;
  /** Those of other accounts stay. */
  const faults = async (rules: readonly object[]): Promise<void> => {
    const all = (await (await fetch(faultsUrl)).json()) as { readonly accountId: string }[];
    const others = all.filter((rule) => rule.accountId !== accountId);
    const body = JSON.stringify([...others, ...rules.map((rule) => ({ accountId, ...rule }))]);
    const answer = await fetch(faultsUrl, { method: 'PUT', body });
    if (!answer.ok) throw new Error(await answer.text());
  };
  const clear = () => fetch(requests, { method: 'DELETE' });
  return {
    client,
    endpoint: endpoint.url,
    accountId,
    /** What the account was asked since the last clearing, writes left out. */
    requests: async () =>
      ((await (await fetch(requests)).json()) as LoggedRequest[]).filter(
        ({ operation }) => !/Write|Create|Describe/.test(operation),
      ),
    clear,
    /** The account's faults from now on, instead of those before. */
    faults,
    /** The account is not used any more. */
    async close() {
      client.destroy();
      await faults([]);
      await clear();
      await endpoint.release(accountId);
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
