import { ERROR_CODES } from '@penstock/common/errors/codes.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { TABLE_READ_MS_MAX } from '../limits.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';
import type { SchemaStore } from '../store/schema-store.ts';
import { buildMetadata } from './build-metadata.ts';
import { changeTable } from './known-tables.ts';
import type { MetadataStore } from '../store/metadata-store.ts';
import { sampleTable } from './sample-table.ts';
import type { TableMetadata } from './table-metadata.ts';
import type { TenantTables } from '../dynamodb/tenant-tables.ts';

/** A table that has been read, and what that consumed. */
interface TableRead {
  readonly metadata: TableMetadata;
  readonly readUnits: number;
}

/** Describes a table, samples it unless told otherwise, and stores what was found. */
export type ReadTable = (request: {
  record: SchemaRecord;
  tables: TenantTables;
  tableName: string;
  maySample: boolean;
  signal?: AbortSignal | undefined;
}) => Promise<TableRead>;

/** Builds the one way in which metadata comes to be. Errors are those of `TenantTables`. */
export function createReadTable(parts: {
  metadata: MetadataStore;
  schemas: SchemaStore;
  clock: Clock;
  logger: Logger;
}): ReadTable {
  return async (request) => {
    try {
      return await read(request);
    } catch (error) {
      // Callers put the message into an answer, so this is the last place that sees the cause.
      const { tenantId, schemaName } = request.record;
      if (isOurs(error))
        parts.logger.error(
          { err: error, tenantId, schemaName, tableName: request.tableName },
          'a table could not be read',
        );
      throw error;
    }
  };

  async function read({
    record,
    tables,
    tableName,
    maySample,
    signal,
  }: Parameters<ReadTable>[0]): Promise<TableRead> {
    const limit = AbortSignal.timeout(TABLE_READ_MS_MAX);
    const bounded = signal === undefined ? limit : AbortSignal.any([limit, signal]);
    const { description, sample } = await withinTime(limit, record, tableName, async () => {
      const described = await tables.describe(tableName, bounded);
      return {
        description: described,
        sample: maySample ? await sampleTable(tables, described, bounded) : null,
      };
    });
    const build = (stored: TableMetadata | null): TableMetadata =>
      buildMetadata(description, sample, stored, parts.clock.now());
    const metadata = await changeTable(parts, record, tableName, build);
    return { metadata: metadata ?? build(null), readUnits: sample?.readUnits ?? 0 };
  }
}

function isOurs(error: unknown): boolean {
  return !(error instanceof PenstockError) || ERROR_CODES[error.code].category === 'internal';
}

/** Distinguishes our own time limit from a caller who hung up: both end a read as cancelled. */
async function withinTime<T>(
  limit: AbortSignal,
  record: SchemaRecord,
  tableName: string,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!limit.aborted) throw error;
    const place = `${record.schemaName}.${tableName}`;
    const message = `DynamoDB did not answer within ${TABLE_READ_MS_MAX / 1000} s for ${place}; try again`;
    throw new PenstockError('UNAVAILABLE', message, { retryAfterS: 1, cause: error });
  }
}
