/** The schema registry's worker: background refreshes of metadata. */
import { runProcess } from '@penstock/common/process/run.ts';
import { createQueue } from '@penstock/common/queue/queue.ts';
import { startWorker } from '@penstock/common/queue/worker.ts';
import { REFRESH_QUEUE, type RefreshJob } from './jobs/refresh-job.ts';
import { refreshJobs } from './jobs/refresh-queue.ts';
import { REFRESH_JOB_CONCURRENCY } from './limits.ts';
import { openRegistry } from './registry.ts';
import { readWorkerSettings } from './settings.ts';

runProcess({
  name: 'schema-worker',
  async main({ logger, metrics, onShutdown, setReady, tellProblem }) {
    const settings = readWorkerSettings(process.env);
    const queue = createQueue<RefreshJob>(REFRESH_QUEUE, settings.PENSTOCK_REDIS_URL, logger, metrics);
    onShutdown(() => queue.close());
    const registry = await openRegistry({ settings, jobs: refreshJobs(queue), logger, metrics });
    onShutdown(() => registry.close());
    tellProblem(() => registry.problem());
    // A refresh in flight stops at the next table when the process is to end; another worker takes the job up again.
    const ending = new AbortController();
    const worker = startWorker<RefreshJob>({
      name: REFRESH_QUEUE,
      redisUrl: settings.PENSTOCK_REDIS_URL,
      concurrency: REFRESH_JOB_CONCURRENCY,
      turnOf: ({ tenantId }) => tenantId,
      handle: ({ data }) => registry.runRefreshJob(data, ending.signal),
      logger,
      metrics,
    });
    onShutdown(async () => {
      ending.abort();
      await worker.close();
    });
    setReady(true);
  },
});
