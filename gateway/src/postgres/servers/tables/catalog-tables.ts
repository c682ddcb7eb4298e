import type { KnownTable } from '../../../clients/catalog-tables.ts';

/** What a tenant has, all of one moment. */
export interface CatalogTables {
  /** Another one after each change. */
  readonly version: string;
  /** All names of active schemas, those without tables too, as stored. */
  readonly schemas: readonly string[];
  readonly tables: readonly KnownTable[];
}
