import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@penstock/common/logging/logger.ts';
import type { DeadLetter } from '@penstock/common/queue/dead-letters.ts';
import { QUEUE_NAMES } from '@penstock/common/queue/names.ts';
import { createQueue, type JobQueue } from '@penstock/common/queue/queue.ts';
import { startWorker, type JobWorker } from '@penstock/common/queue/worker.ts';
import { usageDeadLettersKey, usageStreamKey } from '@penstock/common/usage/stream.ts';
import { expect } from 'chai';
import { CHILD_ENVIRONMENT } from '../../../common/test/support/child-environment.ts';
import type { Redis } from 'ioredis';
import { until } from '../../../common/test/support/until.ts';
import { startTestRedis } from '../../../common/test/usage/support/redis.ts';
import type { TestRedis } from '../../../common/test/usage/support/redis.ts';

const cli = join(import.meta.dirname, '../../src/admin/cli.ts');
const logger = createLogger({ service: 't', level: 'silent' });
const queueName = QUEUE_NAMES.refresh;

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('admin command line: dead letters', function () {
  this.timeout(60_000);
  let server: TestRedis;
  let redis: Redis;
  let queue: JobQueue<{ n: number }>;
  let worker: JobWorker;
  let isMended: boolean;
  let done: number[];

  function run(args: readonly string[], env: Record<string, string>): Promise<Outcome> {
    return new Promise((resolve) => {
      const options = { env: { ...CHILD_ENVIRONMENT, ...env }, timeout: 20_000, cwd: tmpdir() };
      execFile(process.execPath, [cli, 'dead-letter', ...args], options, (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : -1;
        resolve({ code, stdout, stderr });
      });
    });
  }
  async function json(...args: string[]): Promise<Record<string, unknown>> {
    const { code, stdout, stderr } = await run(args, { PENSTOCK_REDIS_URL: server.url });
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, unknown>;
  }
  const listed = async (...args: string[]): Promise<readonly DeadLetter[]> =>
    (await json('list', ...args))['deadLetters'] as DeadLetter[];
  async function giveUp(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) await queue.add('refresh-schema', { n }, { attempts: 1 });
    await until(async () => (await redis.zcard(`bull:${queueName}:failed`)) === count);
  }

  before(async () => {
    server = await startTestRedis();
    redis = server.connect();
    await until(() => redis.status === 'ready');
  });
  beforeEach(async () => {
    await redis.flushall();
    [isMended, done] = [false, []];
    queue = createQueue(queueName, server.url, logger);
    worker = startWorker<{ n: number }>({
      name: queueName,
      redisUrl: server.url,
      concurrency: 1,
      handle: async ({ data }) => {
        if (!isMended) throw new Error('the role cannot be assumed');
        done.push(data.n);
      },
      logger,
    });
  });
  afterEach(async () => {
    await worker.close();
    await queue.close();
  });
  after(() => server.close());

  it('lists what was given up, with what it was about and why', async () => {
    await giveUp(1);
    const [letter, ...others] = await listed();
    expect(others).to.deep.equal([]);
    expect(letter).to.include({ queue: queueName, name: 'refresh-schema', attempts: 1 });
    expect(letter).to.deep.include({ data: { n: 0 }, reason: 'the role cannot be assumed' });
    expect(Date.parse(letter?.failedAt ?? '')).to.be.within(Date.now() - 60_000, Date.now());
    expect(await listed('--queue', QUEUE_NAMES.aggregation)).to.deep.equal([]);
  });

  it('runs one again, and it is done once its cause is mended', async () => {
    await giveUp(2);
    const [first] = await listed();
    isMended = true;
    const answer = await json('retry', '--queue', queueName, '--job', first?.id ?? '');
    expect(answer).to.deep.equal({ queue: queueName, retried: 1 });
    await until(() => done.length === 1);
    expect(done).to.deep.equal([(first?.data as { n: number }).n]);
    expect(await listed()).to.have.length(1);
  });

  it('runs all again; those that fail anew are listed anew', async () => {
    await giveUp(3);
    expect(await json('retry', '--queue', queueName, '--all')).to.include({ retried: 3 });
    await until(async () => (await redis.zcard(`bull:${queueName}:failed`)) === 3);
    isMended = true;
    await json('retry', '--queue', queueName, '--all');
    await until(() => done.length === 3);
    expect(await listed()).to.deep.equal([]);
  });

  it('removes one, or all', async () => {
    await giveUp(3);
    const [first] = await listed();
    const one = ['--queue', queueName, '--job', first?.id ?? ''];
    expect(await json('remove', ...one)).to.include({ removed: 1 });
    expect(await json('remove', '--queue', queueName, '--all')).to.include({ removed: 2 });
    expect(await listed()).to.deep.equal([]);
    expect(done).to.deep.equal([]);
  });

  it('shows usage that cannot be counted, and puts it back into the stream in one step', async () => {
    await redis.xadd(usageDeadLettersKey, '5-1', 'id', 'e1', 'tenant', 'tnt_a', 'rows', '-1');
    const [letter] = await listed();
    expect(letter).to.deep.include({
      queue: 'usage-entries',
      data: { id: 'e1', tenant: 'tnt_a', rows: '-1' },
    });
    await json('retry', '--queue', 'usage-entries', '--job', '5-1');
    expect(await redis.xlen(usageDeadLettersKey)).to.equal(0);
    const [[, fields] = []] = await redis.xrange(usageStreamKey, '-', '+');
    // What follows is the epoch of the stream that it came back into.
    expect(fields?.slice(0, -2)).to.deep.equal(['id', 'e1', 'tenant', 'tnt_a', 'rows', '-1']);
  });

  it('finds Redis by the file of the embedded stack', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'penstock-admin-'));
    await writeFile(join(dataDir, 'stack.json'), JSON.stringify({ redisUrl: server.url }));
    const { code, stdout } = await run(['list'], { PENSTOCK_DATA_DIR: dataDir });
    await rm(dataDir, { recursive: true });
    expect({ code, answer: JSON.parse(stdout) as unknown }).to.deep.equal({
      code: 0,
      answer: { deadLetters: [] },
    });
  });

  it('says what is wrong in one line', async () => {
    const env = { PENSTOCK_REDIS_URL: server.url };
    const outcomes = [
      [await run(['retry', '--queue', queueName, '--job', '404'], env), 'has no dead letter 404'],
      [await run(['list', '--queue', 'nope'], env), 'usage-entries'],
      [await run(['list'], { PENSTOCK_REDIS_URL: 'redis://127.0.0.1:1' }), 'Redis is not available'],
      [await run(['list'], { PENSTOCK_DATA_DIR: join(tmpdir(), 'none') }), 'PENSTOCK_REDIS_URL'],
    ] as const;
    for (const [{ code, stdout, stderr }, text] of outcomes) {
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.include(text);
      expect(stderr.trim().split('\n')).to.have.length(1);
    }
  });

  for (const args of [[], ['--job', '1', '--all']]) {
    it(`asks for one of --job and --all: ${args.join(' ') || '(neither)'}`, async () => {
      const { code, stderr } = await run(['retry', '--queue', queueName, ...args], {
        PENSTOCK_REDIS_URL: server.url,
      });
      expect(code).to.equal(2);
      expect(stderr).to.include('Give either --job or --all').and.include('dead-letter retry --queue Q');
    });
  }
});
