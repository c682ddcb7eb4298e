import type { SchemaRecord } from './schema-record.ts';

/** Where schema records are kept. Reads are consistent: what was written before is seen. */
export interface SchemaStore {
  /** False, and nothing stored, where the tenant already has the name in any case. */
  create(record: SchemaRecord): Promise<boolean>;
  /** Null where there is none. Any case. */
  get(tenantId: string, schemaName: string): Promise<SchemaRecord | null>;
  /** Replaces the record that has this revision and incarnation; false where it has been written or removed since. */
  replace(record: SchemaRecord, previous: SchemaRecord): Promise<boolean>;
  /** Removes and returns what was stored; null where there was nothing. Any case. */
  remove(tenantId: string, schemaName: string): Promise<SchemaRecord | null>;
  /** Records by key, after the one given (null: from the start); fewer than `limit` where the page grows too large. */
  page(tenantId: string, page: { after: string | null; limit: number }): Promise<SchemaPage>;
}

/** Some records of one tenant. */
export interface SchemaPage {
  /** By lower-cased name. */
  readonly records: readonly SchemaRecord[];
  /** True when at least one more record follows. */
  readonly more: boolean;
}
