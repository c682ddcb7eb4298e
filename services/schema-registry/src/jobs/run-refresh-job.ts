import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import { REFRESH_BACKGROUND_MS_MAX } from '../limits.ts';
import type { MetadataStore } from '../store/metadata-store.ts';
import type { ReadTable } from '../metadata/read-table.ts';
import type { RefreshSchema } from '../metadata/refresh-schema.ts';
import type { OpenTenantTables } from '../dynamodb/tenant-tables.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';
import type { SchemaStore } from '../store/schema-store.ts';
import { allowsTable } from '../schemas/table-allowlist.ts';
import { refreshJobSchema, type RefreshJob } from './refresh-job.ts';

/** Does one job. Throws where it is worth another attempt. */
export type RunRefreshJob = (data: unknown, signal: AbortSignal) => Promise<void>;

/** Builds it. A job for a schema that is gone, suspended or created again does nothing. */
export function createRunRefreshJob(parts: {
  schemas: SchemaStore;
  metadata: MetadataStore;
  refreshSchema: RefreshSchema;
  readTable: ReadTable;
  openTables: OpenTenantTables;
  logger: Logger;
}): RunRefreshJob {
  return async (data, signal) => {
    const job = refreshJobSchema.parse(data);
    const record = await parts.schemas.get(job.tenantId, job.schemaName);
    if (record === null || record.incarnation !== job.incarnation || record.status === 'disabled') return;
    if (job.tableName === null) await refreshAll(record, job, signal);
    else await refreshTable(record, job.tableName, job.requestId, signal);
  };

  async function refreshAll(record: SchemaRecord, job: RefreshJob, signal: AbortSignal): Promise<void> {
    const { requestId } = job;
    const run = await parts.refreshSchema(record, {
      requestId,
      timeoutMs: REFRESH_BACKGROUND_MS_MAX,
      signal,
    });
    const { ok, message, skipped } = run.result;
    parts.logger.info({ ...placeOf(record, requestId), ok, skipped, result: message }, 'metadata refreshed');
    if (run.finished) return;
    // Also where the role cannot be assumed: a role made a moment ago takes AWS a while to show everywhere.
    throw new PenstockError('UNAVAILABLE', `The refresh is to be tried again: ${message}`, {
      cause: run.failure,
    });
  }

  async function refreshTable(
    record: SchemaRecord,
    tableName: string,
    requestId: string,
    signal: AbortSignal,
  ): Promise<void> {
    if (!allowsTable(record.tableAllowlist, tableName)) return;
    try {
      const tables = parts.openTables(record, requestId);
      await parts.readTable({ record, tables, tableName, maySample: true, signal });
    } catch (error) {
      const gone = error instanceof PenstockError && error.code === 'TABLE_NOT_FOUND';
      if (!gone) throw error;
      await parts.metadata.remove(record, tableName);
    }
  }
}

function placeOf(record: SchemaRecord, requestId: string): object {
  return { tenantId: record.tenantId, schemaName: record.schemaName, requestId };
}
