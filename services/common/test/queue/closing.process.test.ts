import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createLogger } from '../../src/logging/logger.ts';
import { CLOSE_TIMEOUT_MS } from '../../src/queue/limits.ts';
import { createQueue } from '../../src/queue/queue.ts';
import { startWorker } from '../../src/queue/worker.ts';
import { until } from '../support/until.ts';
import { startTestRedis, type TestRedis } from '../usage/support/redis.ts';

const logger = createLogger({ service: 't', level: 'silent' });
/** A loaded machine may be slow; the drain of a process has ten seconds. */
const PROMPT_MS = 4_000;
const JOB_MS = 700;

describe('a worker that ends', () => {
  let server: TestRedis;
  beforeEach(async () => {
    server = await startTestRedis();
  });
  afterEach(() => server.close());

  /** A worker with a job under way, and its queue. */
  async function busy() {
    const seen = { begun: 0, done: 0 };
    const handle = async () => {
      seen.begun += 1;
      // Sleeps: the work of the job.
      await sleep(JOB_MS);
      seen.done += 1;
    };
    const name = 'closing';
    const queue = createQueue<null>(name, server.url, logger);
    const worker = startWorker<null>({ name, redisUrl: server.url, concurrency: 1, handle, logger });
    await queue.add('job', null);
    await until(() => seen.begun === 1);
    const close = async () => {
      const start = performance.now();
      await worker.close();
      await queue.close();
      return performance.now() - start;
    };
    return { close, seen };
  }

  it('does so once its jobs are done', async () => {
    const { close, seen } = await busy();
    expect(await close()).to.be.below(JOB_MS + PROMPT_MS);
    expect(seen.done).to.equal(1);
  });

  it('does not wait for a Redis that is away, but for its jobs', async () => {
    const { close, seen } = await busy();
    await server.kill();
    expect(await close()).to.be.below(JOB_MS + PROMPT_MS);
    expect(seen.done).to.equal(1);
  });

  it('does so without jobs at once, however long Redis has been away', async () => {
    const { close, seen } = await busy();
    await until(() => seen.done === 1);
    await server.kill();
    // Sleeps: attempts to reach Redis have failed by then, and the next is waited for.
    await sleep(500);
    expect(await close()).to.be.below(PROMPT_MS);
  });

  it('waits for a Redis that does not answer for a bounded time', async () => {
    const { close, seen } = await busy();
    server.freeze();
    expect(await close()).to.be.below(JOB_MS + 2 * CLOSE_TIMEOUT_MS + PROMPT_MS);
    expect(seen.done).to.equal(1);
    server.thaw();
  });
});
