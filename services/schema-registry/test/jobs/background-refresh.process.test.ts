import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { createQueue, type JobQueue } from '@penstock/common/queue/queue.ts';
import { startWorker, type JobWorker } from '@penstock/common/queue/worker.ts';
import { connectRedis } from '@penstock/common/redis/connect.ts';
import { startRedis, type RunningRedis } from '../../../../deploy/local/src/stack/redis.ts';
import { leastMs } from '../../../common/test/support/least-time.ts';
import { until } from '../../../common/test/support/until.ts';
import { REFRESH_QUEUE, type RefreshJob } from '../../src/jobs/refresh-job.ts';
import { refreshJobs } from '../../src/jobs/refresh-queue.ts';
import { logger, resolvedTable, startTestStack, type TestStack } from '../support/registry.ts';
import { schemaOf, simpleTable } from '../support/tables.ts';

describe('background refreshes through Redis', () => {
  let dataDir: string;
  let redis: RunningRedis;
  let queue: JobQueue<RefreshJob>;
  let stack: TestStack;
  let worker: JobWorker | null = null;
  const ending = new AbortController();

  before(async function () {
    this.timeout(60_000);
    dataDir = await mkdtemp(join(tmpdir(), 'penstock-redis-'));
    redis = await startRedis({ dataDir, port: 0 });
    queue = createQueue<RefreshJob>(REFRESH_QUEUE, redis.url, logger);
    stack = await startTestStack({ jobs: refreshJobs(queue) });
  });
  after(async function () {
    this.timeout(90_000);
    ending.abort();
    await worker?.close();
    await queue.close();
    await stack.close();
    await redis.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  function work(): void {
    worker = startWorker<unknown>({
      name: REFRESH_QUEUE,
      redisUrl: redis.url,
      concurrency: 2,
      handle: ({ data }) => stack.registry.runRefreshJob(data, ending.signal),
      logger,
    });
  }

  async function knownTables(tenantId: string): Promise<(string | undefined)[]> {
    const { tables } = await stack.as(tenantId).tables({ limit: 50 });
    return tables
      .filter(({ metadata }) => metadata?.key !== undefined)
      .map(({ metadata }) => metadata?.tableName);
  }

  it('keeps one job for one life of a schema, whatever asks for it', async () => {
    const account = stack.account('111111111111');
    await stack.role(account);
    await simpleTable(account, 'orders', [{ id: { S: '1' } }]);
    const calls = stack.as('j-once');
    await calls.create(schemaOf(account, 's', { tables: ['*'] }));
    await calls.update({ schemaName: 's', status: 'active' });
    await calls.tables({ limit: 10 });
    const waiting = connectRedis(redis.url, { logger, role: 'queue' });
    expect(await waiting.zcard(`bull:${REFRESH_QUEUE}:prioritized`)).to.equal(1);
    waiting.disconnect();
  });

  it('describes the tables after a schema is created, without anyone asking', async () => {
    work();
    await until(async () => (await knownTables('j-once')).includes('orders'));
  });

  it('does nothing for a schema that is gone, was created again, or is suspended', async () => {
    const account = stack.account('222222222222');
    await stack.role(account);
    await simpleTable(account, 'orders', [{ id: { S: '1' } }]);
    const calls = stack.as('j-gone');
    await calls.create(schemaOf(account, 's', { tables: ['orders'] }));
    const record = await stack.registry.directory.get('j-gone', 's');
    const job = {
      tenantId: 'j-gone',
      schemaName: 's',
      incarnation: record.incarnation,
      tableName: null,
      requestId: 'r',
    };
    await until(async () => (await knownTables('j-gone')).includes('orders'));
    await fetch(`${stack.endpoint}/_requests?accountId=222222222222`, { method: 'DELETE' });
    await calls.update({ schemaName: 's', status: 'disabled' });
    stack.clock.forward(31_000);
    await stack.registry.runRefreshJob(job, ending.signal);
    await calls.remove('s');
    await stack.registry.runRefreshJob(job, ending.signal);
    expect(await stack.requests('222222222222')).to.deep.equal([]);
  });

  it('tries again when the role is there only a moment later', async function () {
    this.timeout(90_000);
    const account = stack.account('333333333333');
    await simpleTable(account, 'orders', [{ id: { S: '1' } }]);
    await stack.as('j-late').create(schemaOf(account, 's', { tables: ['orders'] }));
    // Sleeps: shows that nothing is known while there is no role: the first try has failed by then.
    await pause(300);
    expect(await knownTables('j-late')).to.deep.equal([]);
    await stack.role(account);
    await until(async () => (await knownTables('j-late')).includes('orders'));
  });

  it('refreshes a table that is old and used, and removes it where it has gone', async () => {
    const account = stack.account('444444444444');
    await stack.role(account);
    await simpleTable(account, 'orders', [{ id: { S: '1' } }]);
    const calls = stack.as('j-old');
    await calls.create(schemaOf(account, 's'));
    const before = await resolvedTable(calls, { schema: 's', table: 'orders' });
    stack.clock.forward(61 * 60 * 1000);
    await resolvedTable(calls, { schema: 's', table: 'orders' });
    await until(async () => {
      const { metadata } = await resolvedTable(calls, { schema: 's', table: 'orders' });
      return metadata.describedAt > before.metadata.describedAt;
    });
    const record = await stack.registry.directory.get('j-old', 's');
    const job = { tenantId: 'j-old', schemaName: 's', incarnation: record.incarnation, requestId: 'r' };
    expect(await knownTables('j-old')).to.deep.equal(['orders']);
    await account.dynamodb.send(new DeleteTableCommand({ TableName: 'orders' }));
    await stack.registry.runRefreshJob({ ...job, tableName: 'orders' }, ending.signal);
    expect(await knownTables('j-old')).to.deep.equal([]);
  });

  it('refuses a job that is not one', async () => {
    const error = await stack.registry
      .runRefreshJob({ tenantId: 'x' }, ending.signal)
      .catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(Error);
  });
});

describe('schemas while Redis is away', () => {
  it('creates them all the same, quickly', async function () {
    this.timeout(90_000);
    const queue = createQueue<RefreshJob>(REFRESH_QUEUE, 'redis://127.0.0.1:1', logger);
    const stack = await startTestStack({ jobs: refreshJobs(queue) });
    try {
      const account = stack.account('111111111111');
      await stack.role(account);
      await simpleTable(account, 'orders', [{ id: { S: '1' } }]);
      const names = ['s', 't', 'u'].values();
      const create = () => stack.as('away').create(schemaOf(account, names.next().value!));
      // The queue gives up after two seconds by itself.
      expect(await leastMs(3, create)).to.be.below(1_900);
      await resolvedTable(stack.as('away'), { schema: 's', table: 'orders' });
    } finally {
      await queue.close();
      await stack.close();
    }
  });
});
