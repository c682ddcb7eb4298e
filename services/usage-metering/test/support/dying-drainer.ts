/** A drainer's process that is killed (-9) at the worst moment: all is counted, nothing is removed from the stream yet. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { createDrainer } from '../../src/aggregation/drain.ts';
import { createCounterStore } from '../../src/store/counters.ts';

const [redisUrl = '', awsEndpoint = '', tableName = ''] = process.argv.slice(2);
const redis = new Redis(redisUrl);
const client = new DynamoDBClient({
  endpoint: awsEndpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: '000000000000', secretAccessKey: 'test' },
});
const dying = new Proxy(redis, {
  get(target, name): unknown {
    if (name === 'evalsha') process.kill(process.pid, 'SIGKILL');
    const value: unknown = Reflect.get(target, name);
    return typeof value === 'function' ? (value.bind(target) as unknown) : value;
  },
});
const logger = pino({ level: 'silent' });
await createDrainer({ redis: dying, counters: createCounterStore(client, tableName), logger }).drain(10_000);
redis.disconnect();
