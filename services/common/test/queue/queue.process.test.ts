import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Queue } from 'bullmq';
import { PenstockError } from '../../src/errors/penstock-error.ts';
import { createLogger } from '../../src/logging/logger.ts';
import { createQueue, type JobQueue } from '../../src/queue/queue.ts';
import { startWorker, type JobWorker, type RunningJob } from '../../src/queue/worker.ts';
import { until } from '../support/until.ts';
import { startTestRedis, type TestRedis } from '../usage/support/redis.ts';

interface Data {
  readonly n: number;
}

const logger = createLogger({ service: 't', level: 'silent' });

describe('job queue', () => {
  let server: TestRedis;
  let queue: JobQueue<Data>;
  let worker: JobWorker | null = null;
  let name: string;
  let made = 0;

  before(async () => {
    server = await startTestRedis();
  });
  after(() => server.close());
  beforeEach(() => {
    made += 1;
    name = `queue-${made}`;
    queue = createQueue<Data>(name, server.url, logger);
  });
  afterEach(async () => {
    await worker?.close();
    worker = null;
    await queue.close();
  });

  const work = (handle: (job: RunningJob<Data>) => Promise<void>): void => {
    worker = startWorker<Data>({ name, redisUrl: server.url, concurrency: 2, handle, logger });
  };
  async function failedJobs(): Promise<number> {
    const probe = new Queue(name, { connection: server.connect() });
    try {
      return await probe.getFailedCount();
    } finally {
      await probe.close();
    }
  }

  it('lets those go first who have added less lately, and runs one of each at a time', async () => {
    const begun: number[] = [];
    const going = Promise.withResolvers<void>();
    // A hundred of one tenant's, each of them without end, and then one of another's.
    for (let n = 0; n < 100; n++) await queue.add('refresh', { n }, { fairTo: 'many' });
    await queue.add('refresh', { n: 1_000 }, { fairTo: 'few' });
    worker = startWorker<Data>({
      ...{ name, redisUrl: server.url, concurrency: 2, logger },
      turnOf: ({ n }) => (n < 100 ? 'many' : 'few'),
      handle: async ({ data }) => {
        begun.push(data.n);
        if (data.n < 100) await going.promise;
      },
    });
    await until(() => begun.includes(1_000));
    expect(begun.filter((n) => n < 100).length).to.be.at.most(1);
    going.resolve();
    await until(() => begun.length === 101, { timeoutMs: 60_000 });
    expect(new Set(begun).size).to.equal(101);
  });

  it('hands jobs with their data to the worker', async () => {
    const seen: RunningJob<Data>[] = [];
    work(async (job) => void seen.push(job));
    await queue.add('refresh', { n: 7 });
    await until(() => seen.length === 1);
    expect(seen[0]).to.include({ name: 'refresh', attempt: 1 });
    expect(seen[0]?.data).to.deep.equal({ n: 7 });
  });

  it('tries a job again when it fails', async () => {
    const attempts: number[] = [];
    work(async ({ attempt }) => {
      attempts.push(attempt);
      if (attempt < 2) throw new Error('not yet');
    });
    await queue.add('flaky', { n: 1 });
    await until(() => attempts.length === 2);
    expect(attempts).to.deep.equal([1, 2]);
  });

  it('keeps a job that ran out of attempts in the list of failed ones', async () => {
    work(async () => {
      throw new Error('never');
    });
    await queue.add('doomed', { n: 1 }, { attempts: 1 });
    await until(async () => (await failedJobs()) === 1);
  });

  it('gives a job to another worker when the process of the first is killed', async function () {
    this.timeout(90_000);
    const lockMs = 1_000;
    const fixture = join(import.meta.dirname, 'fixtures/busy-worker.ts');
    const args = [fixture, name, server.url, String(lockMs)];
    const first = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      await queue.add('refresh', { n: 7 });
      await once(first.stdout, 'data');
      const seen: number[] = [];
      worker = startWorker<Data>({
        name,
        redisUrl: server.url,
        concurrency: 1,
        lockMs,
        logger,
        handle: async ({ data }) => void seen.push(data.n),
      });
      // Sleeps: it is the first one's for as long as that one lives, however often its lock would have ended.
      await sleep(3 * lockMs);
      expect(seen).to.deep.equal([]);
      first.kill('SIGKILL');
      await until(() => seen.length === 1);
      expect(seen).to.deep.equal([7]);
    } finally {
      first.kill('SIGKILL');
    }
  });

  it('does not repeat a job that failed by its own fault', async () => {
    let attempts = 0;
    work(async () => {
      attempts += 1;
      throw new PenstockError('SCHEMA_NOT_FOUND', 'Schema not found: s');
    });
    await queue.add('pointless', { n: 1 });
    await until(async () => (await failedJobs()) === 1);
    expect(attempts).to.equal(1);
  });

  it('adds a job once while one with its key waits or runs', async () => {
    const seen: number[] = [];
    for (let n = 0; n < 5; n++) await queue.add('refresh', { n }, { dedupeKey: 'schema-1' });
    work(async ({ data }) => void seen.push(data.n));
    await until(() => seen.length === 1);
    await until(async () => {
      await queue.add('refresh', { n: 99 }, { dedupeKey: 'schema-1' });
      return seen.includes(99);
    });
    expect(seen[0]).to.equal(0);
  });

  it('repeats a scheduled job, however many replicas schedule it', async () => {
    let ticks = 0;
    work(async () => void (ticks += 1));
    for (let i = 0; i < 3; i++) await queue.repeat('tick', 200, 'tick', { n: 0 });
    const start = performance.now();
    await until(() => ticks >= 3);
    expect(performance.now() - start).to.be.above(250);
  });

  it('goes on with a schedule when Redis comes back without its data', async () => {
    let ticks = 0;
    work(async () => void (ticks += 1));
    await queue.repeat('tick', 200, 'tick', { n: 0 });
    await until(() => ticks >= 1);
    const probe = server.connect();
    await until(() => probe.status === 'ready');
    await probe.flushall();
    await server.kill();
    await server.start();
    const before = ticks;
    await until(() => ticks >= before + 3);
  });

  it('goes on with a schedule that a process with a clock ahead of ours has left', async () => {
    const ahead = new Queue(name, { connection: server.connect() });
    await ahead.waitUntilReady();
    await ahead.upsertJobScheduler('tick', { every: 200, startDate: Date.now() + 60_000 }, { name: 'tick' });
    await ahead.close();
    let ticks = 0;
    work(async () => void (ticks += 1));
    await queue.repeat('tick', 200, 'tick', { n: 0 });
    await until(() => ticks >= 2);
  });

  it('says within two seconds that Redis is away', async () => {
    const lost = createQueue<Data>('lost', 'redis://127.0.0.1:1', logger);
    const start = performance.now();
    const error = await lost.add('x', { n: 1 }).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(PenstockError).and.to.include({ code: 'UNAVAILABLE' });
    expect(performance.now() - start).to.be.below(2_500);
    await lost.close();
  });

  it('lets a running job finish when the worker closes', async () => {
    let done = false;
    let running = false;
    work(async () => {
      running = true;
      // Sleeps: longer than closing would take if it did not wait.
      await sleep(150);
      done = true;
    });
    await queue.add('long', { n: 1 });
    await until(() => running);
    await worker?.close();
    worker = null;
    expect(done).to.equal(true);
  });
});
