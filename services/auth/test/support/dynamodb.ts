import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '@penstock/common/time/clock.ts';
import { startAwsEndpoint } from '../../../../deploy/local/src/aws/server.ts';
import { openAuthTable } from '../../src/store/table.ts';
import type { AuthTable } from '../../src/store/table.ts';

/** A DynamoDB that answers as the real one does. */
export interface TestDynamo {
  /** A new, empty auth table. */
  table(clock: Clock): Promise<AuthTable & { readonly tableName: string }>;
  /** Deletes a table and makes an empty one of its name. */
  remake(tableName: string): Promise<void>;
  /** Everything in a table, as JSON text. */
  dump(tableName: string): Promise<string>;
  readonly client: DynamoDBClient;
  readonly url: string;
  close(): Promise<void>;
}

export async function startTestDynamo(): Promise<TestDynamo> {
  const dataDir = await mkdtemp(join(tmpdir(), 'penstock-auth-'));
  const endpoint = await startAwsEndpoint({ port: 0, host: '127.0.0.1', dataDir });
  const client = new DynamoDBClient({
    endpoint: endpoint.url,
    region: 'us-east-1',
    credentials: { accessKeyId: '000000000000', secretAccessKey: 'test' },
  });
  let made = 0;
  const make = (tableName: string) =>
    client.send(
      new CreateTableCommand({
        TableName: tableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'sk', AttributeType: 'S' },
        ],
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      }),
    );
  return {
    client,
    url: endpoint.url,
    async table(clock) {
      made += 1;
      const tableName = `test-${made}-auth`;
      await make(tableName);
      return { ...openAuthTable({ client, tableName, clock }), tableName };
    },
    async remake(tableName) {
      await client.send(new DeleteTableCommand({ TableName: tableName }));
      await make(tableName);
    },
    async dump(tableName) {
      const { Items } = await client.send(new ScanCommand({ TableName: tableName }));
      return JSON.stringify(Items);
    },
    async close() {
      client.destroy();
      await endpoint.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
