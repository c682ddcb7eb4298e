import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createUsageRecorder } from '@penstock/common/usage/recorder.ts';
import { usageStreamKey } from '@penstock/common/usage/stream.ts';
import { expect } from 'chai';
import { CHILD_ENVIRONMENT } from '../../common/test/support/child-environment.ts';
import { pino } from 'pino';
import { until } from '../../common/test/support/until.ts';
import { freePort } from '../../common/test/usage/support/redis.ts';
import { createCounterStore } from '../src/store/counters.ts';
import type { CounterStore } from '../src/store/counters.ts';
import { noon, startTestStores, today } from './support/stores.ts';
import type { TestStores } from './support/stores.ts';

const SERVICE_ACCOUNT_ID = '000000000000';

describe('usage worker process', function () {
  this.timeout(90_000);
  let stores: TestStores;
  let spoolDir: string;
  const children = new Set<ChildProcess>();

  async function startWorkerProcess(): Promise<ChildProcess> {
    const env = {
      PATH: process.env['PATH'] ?? '',
      ...CHILD_ENVIRONMENT,
      PENSTOCK_HEALTH_PORT: String(await freePort()),
      PENSTOCK_REDIS_URL: stores.server.url,
      PENSTOCK_AWS_ENDPOINT: stores.awsEndpoint,
      PENSTOCK_CREATE_TABLES: 'true',
      PENSTOCK_TABLE_PREFIX: 'worker',
      AWS_ACCESS_KEY_ID: '000000000000',
      AWS_SECRET_ACCESS_KEY: 'test',
    };
    const child = spawn(process.execPath, [join(import.meta.dirname, '../src/worker.ts')], {
      env,
      stdio: 'ignore',
    });
    children.add(child);
    return child;
  }

  function countersOfWorkers(): CounterStore {
    const client = new DynamoDBClient({
      endpoint: stores.awsEndpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: '000000000000', secretAccessKey: 'test' },
    });
    return createCounterStore(client, 'worker-usage');
  }
  async function setFaults(faults: readonly object[]): Promise<void> {
    const body = JSON.stringify(faults);
    const answer = await fetch(`${stores.awsEndpoint}/_faults`, { method: 'PUT', body });
    expect(answer.ok).to.equal(true);
  }
  /** Reads of counters since the log was cleared. */
  async function countersRead(): Promise<number> {
    const answer = await fetch(`${stores.awsEndpoint}/_requests?accountId=${SERVICE_ACCOUNT_ID}`);
    const requests = (await answer.json()) as readonly { operation: string }[];
    return requests.filter(({ operation }) => operation === 'GetItem').length;
  }

  before(async () => {
    stores = await startTestStores();
    spoolDir = await mkdtemp(join(tmpdir(), 'penstock-spool-'));
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await stores.close();
    await rm(spoolDir, { recursive: true, force: true });
  });

  it('counts every event once though workers are killed again and again and Redis dies in between', async () => {
    const recorder = createUsageRecorder({
      redis: stores.redis,
      spoolDir,
      logger: pino({ level: 'silent' }),
    });
    const counters = countersOfWorkers();
    let recorded = 0;
    let busy = true;
    const recording = (async () => {
      while (busy) {
        const ids = Array.from({ length: 20 }, (_, i) => `r${recorded + i}`);
        await Promise.all(
          ids.map((id) =>
            recorder.record({
              id,
              tenantId: 'tnt_a',
              at: noon,
              requests: 1,
              rowsReturned: 1,
              readHalfUnits: 1,
            }),
          ),
        );
        recorded += ids.length;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    for (let round = 0; round < 4; round += 1) {
      const [one, two] = await Promise.all([startWorkerProcess(), startWorkerProcess()]);
      // Sleeps: they are killed at another place of their work each round.
      await new Promise((resolve) => setTimeout(resolve, 1800 + 130 * round));
      one.kill('SIGKILL');
      two.kill('SIGKILL');
      if (round === 1) {
        await stores.server.kill();
        // Sleeps: Redis is away for a while.
        await new Promise((resolve) => setTimeout(resolve, 300));
        await stores.server.start();
      }
    }
    busy = false;
    await recording;
    await recorder.close();
    const last = await startWorkerProcess();
    await until(async () => (await stores.redis.xlen(usageStreamKey)) === 0, { timeoutMs: 60_000 });
    const counter = await counters.get('tnt_a', today);
    expect(counter?.counts).to.deep.equal({
      requests: recorded,
      rowsReturned: recorded,
      readHalfUnits: recorded,
    });
    last.kill('SIGTERM');
    const [code] = (await once(last, 'exit')) as [number | null];
    expect(code).to.equal(0);
  });

  it('counts once what a worker had counted when it died, and Redis with it, before it was removed', async () => {
    const counters = countersOfWorkers();
    const counted = async (): Promise<number> => (await counters.get('tnt_b', today))?.counts.requests ?? 0;
    await setFaults([{ accountId: SERVICE_ACCOUNT_ID, operation: 'UpdateItem', latencyMs: 1_000 }]);
    const before = await countersRead();
    await stores.addMany(50, { tenantId: 'tnt_b' });
    const killed = await startWorkerProcess();
    // It looks at the counter, then updates it, which takes a while, then removes what it has counted.
    await until(async () => (await countersRead()) > before);
    stores.server.freeze();
    await until(async () => (await counted()) > 0);
    killed.kill('SIGKILL');
    await stores.server.kill();
    await setFaults([]);
    await stores.server.start();
    await until(() => stores.redis.status === 'ready');
    expect(await stores.redis.xlen(usageStreamKey)).to.equal(50);
    await startWorkerProcess();
    await until(async () => (await stores.redis.xlen(usageStreamKey)) === 0);
    expect(await counted()).to.equal(50);
  });
});
