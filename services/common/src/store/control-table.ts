import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { observeCalls } from '../aws/observe-calls.ts';
import { awaitTable } from './await-table.ts';
import { keepPresent, type TablePresence } from './keep-present.ts';
import type { ControlTableOptions } from './table-options.ts';
import { checkTtl } from './time-to-live.ts';

export type { ControlTableOptions } from './table-options.ts';

export interface ControlTable extends TablePresence {
  readonly client: DynamoDBClient;
  readonly tableName: string;
}

const REQUEST_TIMEOUT_MS = 5_000;
const CONNECTION_TIMEOUT_MS = 2_000;
const ATTEMPTS_MAX = 4;

/**
 * A client for one of the service's own tables, with credentials from the SDK's chain. Waits until the table can be
 * used. One that vanishes later is made again where it may be (`keepPresent`).
 *
 * @throws PenstockError when the table is missing and may not be created, naming it
 */
export async function openControlTable(options: ControlTableOptions): Promise<ControlTable> {
  const { tableName, logger } = options;
  const client = new DynamoDBClient({
    region: options.region,
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    maxAttempts: ATTEMPTS_MAX,
    // Middleware is put together once for each command instead of at each call. Observers are added before the first
    // call.
    cacheMiddleware: true,
    requestHandler: {
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
  observeCalls(client, 'DynamoDB', { plane: 'control', metrics: options.metrics });
  const { problem, close } = keepPresent(client, options);
  try {
    if (await awaitTable(client, options))
      logger?.info({ tableName }, 'the table was missing and has been created');
    await checkTtl(client, options);
  } catch (error) {
    close();
    client.destroy();
    throw error;
  }
  return Object.freeze({
    client,
    tableName,
    problem,
    close() {
      close();
      client.destroy();
    },
  });
}
