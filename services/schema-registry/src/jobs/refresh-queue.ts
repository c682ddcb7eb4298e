import type { JobQueue } from '@penstock/common/queue/queue.ts';
import type { RefreshJobs } from './background-refresh.ts';
import type { RefreshJob } from './refresh-job.ts';

/** Jobs on the queue REFRESH_QUEUE. A job that is the same as one that waits or runs is dropped there; tenants take turns. */
export function refreshJobs(queue: JobQueue<RefreshJob>): RefreshJobs {
  return Object.freeze({
    add: (job: RefreshJob, id: string) =>
      queue.add(job.tableName === null ? 'refresh-schema' : 'refresh-table', job, {
        dedupeKey: id,
        fairTo: job.tenantId,
      }),
  });
}
