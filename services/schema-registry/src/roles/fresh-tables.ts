import type { TenantTables } from '../metadata/tenant-tables.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';

/** Tables behind a role that has been assumed just now. */
export interface FreshTables {
  readonly tables: TenantTables;
  close(): void;
}

/**
 * Assumes a schema's role, past every cache. Throws PenstockErrors: ACCESS_DENIED where it cannot be assumed, THROTTLED
 * or UNAVAILABLE where STS did not answer.
 */
export type OpenFreshTables = (
  record: SchemaRecord,
  requestId: string,
  signal: AbortSignal,
) => Promise<FreshTables>;
