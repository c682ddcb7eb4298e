import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
  type CreateTableCommandInput,
} from '@aws-sdk/client-dynamodb';

import type { Logger } from 'pino';
import { observeCalls } from '../aws/observe-calls.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** All keys of the control plane are strings. */
export interface TableKeys {
  readonly partitionKey: string;
  readonly sortKey?: string;
}

export interface TableIndex extends TableKeys {
  readonly name: string;
}

export interface ControlTableOptions {
  /** A local AWS endpoint; AWS itself where absent. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly tableName: string;
  readonly keys: TableKeys;
  /** Global, with all attributes. */
  readonly indexes?: readonly TableIndex[];
  /** Holds epoch seconds; items vanish some time after that. Expiry must be checked at read all the same. */
  readonly ttlAttribute?: string;
  /** For stacks that nobody provisions. False: the table must be there. */
  readonly createIfMissing: boolean;
  readonly metrics?: Metrics | undefined;
  readonly logger?: Logger | undefined;
}

export interface ControlTable {
  readonly client: DynamoDBClient;
  readonly tableName: string;
}

const REQUEST_TIMEOUT_MS = 5_000;
const CONNECTION_TIMEOUT_MS = 2_000;
const MAX_ATTEMPTS = 4;
const TABLE_WAIT_S = 60;

const named = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

const keySchema = ({ partitionKey, sortKey }: TableKeys) => [
  { AttributeName: partitionKey, KeyType: 'HASH' as const },
  ...(sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' as const }]),
];

function creation({ tableName, keys, indexes = [] }: ControlTableOptions): CreateTableCommandInput {
  const names = [keys, ...indexes].flatMap(({ partitionKey, sortKey }) =>
    sortKey === undefined ? [partitionKey] : [partitionKey, sortKey],
  );
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keySchema(keys),
    AttributeDefinitions: [...new Set(names)].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    ...(indexes.length === 0
      ? {}
      : {
          GlobalSecondaryIndexes: indexes.map((index) => ({
            IndexName: index.name,
            KeySchema: keySchema(index),
            Projection: { ProjectionType: 'ALL' },
          })),
        }),
  };
}

async function exists(client: DynamoDBClient, tableName: string): Promise<boolean> {
  try {
    await client.send(new DescribeTableCommand({ TableName: tableName }));
    return true;
  } catch (error) {
    if (named(error, 'ResourceNotFoundException')) return false;
    throw error;
  }
}

async function create(client: DynamoDBClient, options: ControlTableOptions): Promise<void> {
  try {
    await client.send(new CreateTableCommand(creation(options)));
  } catch (error) {
    // Another replica was first.
    if (!named(error, 'ResourceInUseException')) throw error;
  }
}

/**
 * Sees at each start that items expire, and has them expire where they do not: whoever made the table may have ended
 * before, or been refused. Never in the way of the start, since expiry is checked at each read; what is wrong is logged.
 */
async function checkTtl(
  client: DynamoDBClient,
  { tableName, ttlAttribute, logger }: ControlTableOptions,
): Promise<void> {
  if (ttlAttribute === undefined) return;
  try {
    const { TimeToLiveDescription: found } = await client.send(
      new DescribeTimeToLiveCommand({ TableName: tableName }),
    );
    const status = found?.TimeToLiveStatus;
    if (status === 'ENABLED' || status === 'ENABLING') {
      const { AttributeName } = found ?? {};
      if (AttributeName !== ttlAttribute)
        logger?.error({ tableName, ttlAttribute, found: AttributeName }, 'items expire by another attribute');
      return;
    }
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: tableName,
        TimeToLiveSpecification: { AttributeName: ttlAttribute, Enabled: true },
      }),
    );
    logger?.info({ tableName, ttlAttribute }, 'items expire from now on: TTL was off');
  } catch (error) {
    logger?.warn(
      { err: error, tableName, ttlAttribute },
      'whether items expire is not known: turn TTL on, or let this process do it (UpdateTimeToLive)',
    );
  }
}

/**
 * A client for one of the service's own tables, with credentials from the SDK's chain. Waits until the table is active.
 *
 * @throws Error when the table is missing and may not be created, naming it
 */
export async function openControlTable(options: ControlTableOptions): Promise<ControlTable> {
  const { tableName } = options;
  const client = new DynamoDBClient({
    region: options.region,
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    maxAttempts: MAX_ATTEMPTS,
    // Put together once for each command instead of at each call; what observes calls is added before the first.
    cacheMiddleware: true,
    requestHandler: {
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
  observeCalls(client, 'DynamoDB', { plane: 'control', metrics: options.metrics });
  if (!(await exists(client, tableName))) {
    if (!options.createIfMissing) {
      throw new Error(`The table ${tableName} does not exist: create it, or set PENSTOCK_CREATE_TABLES=true`);
    }
    await create(client, options);
    options.logger?.info({ tableName }, 'the table was missing and has been created');
  }
  // Also where it is there: another replica may be making it just now.
  await waitUntilTableExists({ client, maxWaitTime: TABLE_WAIT_S, minDelay: 1 }, { TableName: tableName });
  await checkTtl(client, options);
  return Object.freeze({ client, tableName });
}
