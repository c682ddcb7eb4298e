import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@penstock/common/logging/logger.ts';
import { ENQUEUE_MS_MAX } from '../limits.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';
import { accessFingerprint } from '../schemas/table-allowlist.ts';
import type { RefreshJob } from './refresh-job.ts';

/** Refreshes that run later, elsewhere. Calls return soon and never throw: what cannot be asked for is logged. */
export interface BackgroundRefresh {
  /** All tables of a schema. */
  schema(record: SchemaRecord, requestId: string): Promise<void>;
  /** One table. */
  table(record: SchemaRecord, tableName: string, requestId: string): Promise<void>;
}

/** Takes jobs; one with the ID of a job that waits or runs is dropped. */
export interface RefreshJobs {
  add(job: RefreshJob, id: string): Promise<void>;
}

/**
 * Background refreshes by a queue. A queue that is away costs a request at most ENQUEUE_MS_MAX, and a line in the log:
 * tables are described when they are first used, refreshed or not.
 */
export function createBackgroundRefresh(jobs: RefreshJobs, logger: Logger): BackgroundRefresh {
  async function ask(record: SchemaRecord, tableName: string | null, requestId: string): Promise<void> {
    const { tenantId, schemaName, incarnation } = record;
    try {
      const job = { tenantId, schemaName, incarnation, tableName, requestId };
      const late = new AbortController();
      const limit = pause(ENQUEUE_MS_MAX, undefined, { signal: late.signal }).then(() => {
        throw new Error(`the queue did not answer within ${ENQUEUE_MS_MAX} ms`);
      });
      const added = jobs.add(job, jobId(record, tableName));
      // The loser of the race may still fail, with nobody listening.
      added.catch(() => undefined);
      limit.catch(() => undefined);
      await Promise.race([added, limit]).finally(() => late.abort());
    } catch (error) {
      logger.warn(
        { err: error, tenantId, schemaName, requestId },
        'no background refresh: the queue did not take it',
      );
    }
  }

  return Object.freeze({
    schema: (record: SchemaRecord, requestId: string) => ask(record, null, requestId),
    table: (record: SchemaRecord, tableName: string, requestId: string) => ask(record, tableName, requestId),
  });
}

/**
 * The ID of the job: one for each incarnation of a schema and each way to its tables, and one for each table. BullMQ
 * allows no colon.
 */
function jobId(record: SchemaRecord, tableName: string | null): string {
  const schema = `${record.incarnation}-${accessFingerprint(record)}`;
  return tableName === null ? schema : `${schema}-${tableName}`;
}
