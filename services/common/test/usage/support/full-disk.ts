/**
 * A process to which every disk is full: it runs under `ulimit -f 0`, so that no file may grow. Records one event to a
 * Redis that is away, and says on standard output what came of it, and when it is able again.
 */
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { PenstockError } from '../../../src/errors/penstock-error.ts';
import { createUsageRecorder } from '../../../src/usage/recorder.ts';

const [redisUrl = '', spoolDir = ''] = process.argv.slice(2);
const redis = new Redis(redisUrl, {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  retryStrategy: () => 50,
});
redis.on('error', () => undefined);
const recorder = createUsageRecorder({ redis, spoolDir, logger: pino({ level: 'silent' }) });

const say = (what: string): void => void process.stdout.write(`${what}\n`);

const isAble = (): boolean => {
  try {
    recorder.ensureAble();
    return true;
  } catch {
    return false;
  }
};

for (const id of ['full-1', 'full-2']) {
  const event = { id, tenantId: 'tnt_a', at: Date.now(), requests: 1, rowsReturned: 0, readHalfUnits: 0 };
  await recorder.record(event).then(
    () => say('recorded'),
    (error: unknown) => say(error instanceof PenstockError ? error.code : 'unknown'),
  );
}
say(isAble() ? 'able' : 'unable');
while (!isAble()) await new Promise((resolve) => setTimeout(resolve, 50));
say('able');
await recorder.close();
redis.disconnect();
