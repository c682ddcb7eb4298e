import {
  CreateTableCommand,
  DescribeTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { setTimeout as pause } from 'node:timers/promises';
import { missingTable } from './missing-table.ts';
import type { ControlTableOptions, TableKeys } from './table-options.ts';

const WAIT_MS_MAX = 60_000;
/** DynamoDB makes a table in some seconds; a local endpoint at once. */
const PAUSE_MS = 500;

/** A table as DynamoDB describes it. */
interface FoundTable {
  /** Items can be read and written. */
  readonly isUsable: boolean;
  readonly status: string;
  /** A table that was deleted and made again under the same name has another identity. */
  readonly identity: string;
}

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

/** The table; null where there is none of the name. */
export async function findTable(client: DynamoDBClient, tableName: string): Promise<FoundTable | null> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    const status = Table?.TableStatus ?? 'unknown';
    return Object.freeze({
      isUsable: status === 'ACTIVE' || status === 'UPDATING',
      status,
      // Not everything that speaks DynamoDB gives IDs.
      identity: `${Table?.TableId ?? ''} ${Table?.CreationDateTime?.getTime() ?? ''}`,
    });
  } catch (error) {
    if (isNamed(error, 'ResourceNotFoundException')) return null;
    throw error;
  }
}

/**
 * Waits until the table can be used, and makes it where it is missing and may be made. One that is being deleted is
 * waited for, and made then.
 *
 * @returns whether it was this process that made it
 * @throws PenstockError where it is missing and may not be made, naming it
 * @throws Error where it does not get usable
 */
export async function awaitTable(client: DynamoDBClient, options: ControlTableOptions): Promise<boolean> {
  const { tableName } = options;
  const deadline = performance.now() + WAIT_MS_MAX;
  let made = false;
  let status = 'missing';
  while (performance.now() < deadline) {
    const found = await findTable(client, tableName);
    if (found?.isUsable === true) return made;
    status = found?.status ?? 'missing';
    if (found === null) {
      if (!options.createIfMissing) throw missingTable(tableName);
      if (await create(client, options)) {
        made = true;
        continue;
      }
    }
    await pause(PAUSE_MS);
  }
  throw new Error(`The table ${tableName} did not get ACTIVE in ${WAIT_MS_MAX / 1000} s: it is ${status}`);
}

/** False where another process was faster, or the former table of that name is not quite gone. */
async function create(client: DynamoDBClient, options: ControlTableOptions): Promise<boolean> {
  try {
    await client.send(new CreateTableCommand(creation(options)));
    return true;
  } catch (error) {
    if (isNamed(error, 'ResourceInUseException')) return false;
    throw error;
  }
}

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
