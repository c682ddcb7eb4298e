/** The usage worker: drains the usage stream into the daily counters, each second. */
import { readConfig } from '@penstock/common/config/config.ts';
import { runProcess } from '@penstock/common/process/run.ts';
import { createQueue } from '@penstock/common/queue/queue.ts';
import { startWorker } from '@penstock/common/queue/worker.ts';
import { connectRedis, redisReady } from '@penstock/common/redis/connect.ts';
import { observeUsageStream } from '@penstock/common/usage/observe-stream.ts';
import { createDrainer } from './aggregation/drain.ts';
import { aggregationQueue, createAggregationJob } from './aggregation/job.ts';
import { workerSettings } from './config.ts';
import { DRAIN_INTERVAL_MS } from './limits.ts';
import { openCounters } from './store/open.ts';

const REDIS_WAIT_MS = 10_000;

runProcess({
  name: 'usage-worker',
  async main({ logger, metrics, onShutdown, setReady, tellProblem }) {
    const config = readConfig(workerSettings, process.env);
    const { counters, problem, close } = await openCounters(config, metrics, logger);
    onShutdown(close);
    tellProblem(problem);
    const redisUrl = config.PENSTOCK_REDIS_URL;
    const redis = connectRedis(redisUrl, { logger, role: 'commands' });
    onShutdown(() => redis.disconnect());
    if (!(await redisReady(redis, REDIS_WAIT_MS))) {
      throw new Error('Redis at PENSTOCK_REDIS_URL does not answer: start it, or correct the URL');
    }
    const queue = createQueue<null>(aggregationQueue, redisUrl, logger, metrics);
    onShutdown(() => queue.close());
    await queue.repeat('drain', DRAIN_INTERVAL_MS, 'drain', null);
    const drainer = createDrainer({ redis, counters, logger });
    const handle = createAggregationJob({ drainer, metrics, logger });
    observeUsageStream(metrics, redis);
    const worker = startWorker<null>({
      name: aggregationQueue,
      redisUrl,
      concurrency: 1,
      handle,
      logger,
      metrics,
    });
    onShutdown(() => worker.close());
    setReady(true);
  },
});
