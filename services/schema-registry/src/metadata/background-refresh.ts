import type { SchemaRecord } from '../schemas/schema-record.ts';

/** Refreshes that run later, elsewhere. Calls return soon and never throw: what cannot be asked for is logged. */
export interface BackgroundRefresh {
  /** All tables of a schema. */
  schema(record: SchemaRecord, requestId: string): Promise<void>;
  /** One table. */
  table(record: SchemaRecord, tableName: string, requestId: string): Promise<void>;
}
