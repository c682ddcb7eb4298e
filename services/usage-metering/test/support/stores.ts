import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { UsageEvent } from '@penstock/common/usage/event.ts';
import { toStreamFields } from '@penstock/common/usage/event.ts';
import { usageStreamKey } from '@penstock/common/usage/stream.ts';
import type { Redis } from 'ioredis';
import { startAwsEndpoint } from '../../../../deploy/local/src/aws/server.ts';
import { until } from '../../../common/test/support/until.ts';
import { startTestRedis } from '../../../common/test/usage/support/redis.ts';
import type { TestRedis } from '../../../common/test/usage/support/redis.ts';
import { createCounterStore } from '../../src/store/counters.ts';
import type { CounterStore } from '../../src/store/counters.ts';

export const noon = Date.UTC(2026, 10, 21, 12);
export const today = '2026-11-21';

/** The real stores of usage metering. */
export interface TestStores {
  readonly server: TestRedis;
  readonly redis: Redis;
  readonly awsEndpoint: string;
  /** New, empty counters. */
  counters(): Promise<CounterStore>;
  /** The table of the counters made last, for other processes. */
  tableName(): string;
  /** Puts an event into the stream. */
  add(event: Partial<UsageEvent>): Promise<void>;
  /** Puts as many events at once. */
  addMany(count: number, event: Partial<UsageEvent>): Promise<void>;
  close(): Promise<void>;
}

export async function startTestStores(): Promise<TestStores> {
  const dataDir = await mkdtemp(join(tmpdir(), 'penstock-usage-'));
  const [server, endpoint] = await Promise.all([
    startTestRedis(),
    startAwsEndpoint({ port: 0, host: '127.0.0.1', dataDir }),
  ]);
  const redis = server.connect();
  await until(() => redis.status === 'ready');
  const client = new DynamoDBClient({
    endpoint: endpoint.url,
    region: 'us-east-1',
    credentials: { accessKeyId: '000000000000', secretAccessKey: 'test' },
  });
  let [tables, events] = [0, 0];
  const tableOf = (no: number): string => `test-${no}-usage`;

  const complete = (event: Partial<UsageEvent>): UsageEvent => {
    events += 1;
    const id = `event-${events}`;
    return { id, tenantId: 'tnt_a', at: noon, requests: 1, rowsReturned: 2, readHalfUnits: 3, ...event };
  };

  return {
    server,
    redis,
    awsEndpoint: endpoint.url,
    async counters() {
      tables += 1;
      const tableName = tableOf(tables);
      await client.send(
        new CreateTableCommand({
          TableName: tableName,
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: [
            { AttributeName: 'tenantId', AttributeType: 'S' },
            { AttributeName: 'day', AttributeType: 'S' },
          ],
          KeySchema: [
            { AttributeName: 'tenantId', KeyType: 'HASH' },
            { AttributeName: 'day', KeyType: 'RANGE' },
          ],
        }),
      );
      return createCounterStore(client, tableName);
    },
    tableName: () => tableOf(tables),
    async add(event) {
      await redis.xadd(usageStreamKey, '*', ...toStreamFields(complete(event)));
    },
    async addMany(count, event) {
      const pipeline = redis.pipeline();
      for (let i = 0; i < count; i += 1)
        pipeline.xadd(usageStreamKey, '*', ...toStreamFields(complete(event)));
      await pipeline.exec();
    },
    async close() {
      client.destroy();
      await Promise.all([server.close(), endpoint.close()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
