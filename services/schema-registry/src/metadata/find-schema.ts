import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { didYouMean } from '../schemas/did-you-mean.ts';
import { schemaDisabled, schemaNotFound } from '../schemas/schema-errors.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';
import type { SchemaStore } from '../store/schema-store.ts';

/** Names compared for a suggestion. */
const NAMES_MAX = 500;

/** Catalogs of other systems, as agents and tools ask for them. */
const CATALOGS: ReadonlySet<string> = new Set(['information_schema', 'pg_catalog']);
const CATALOG_ELSEWHERE =
  'Only the PostgreSQL endpoint has it. Over MCP list_tables and describe_table show tables and columns, over REST ' +
  'GET /v1/schemas shows schemas.';

/**
 * The schema that a statement means: by name, whatever the case; without one, the tenant's only schema.
 * @throws PenstockError SCHEMA_NOT_FOUND (with the nearest names), SCHEMA_REQUIRED, SCHEMA_DISABLED
 */
export async function findSchema(
  store: SchemaStore,
  tenantId: string,
  reference: { schema: string | null; table: string },
): Promise<SchemaRecord> {
  const record =
    reference.schema === null
      ? await onlySchema(store, tenantId, reference.table)
      : await namedSchema(store, tenantId, reference.schema);
  if (record.status === 'disabled') throw schemaDisabled(reference.schema ?? record.schemaName);
  return record;
}

async function namedSchema(store: SchemaStore, tenantId: string, asked: string): Promise<SchemaRecord> {
  const record = await store.get(tenantId, asked);
  if (record !== null) return record;
  const { records } = await store.page(tenantId, { after: null, limit: NAMES_MAX });
  const names = records.map(({ schemaName }) => schemaName);
  throw schemaNotFound(
    asked,
    CATALOGS.has(asked.toLowerCase()) ? CATALOG_ELSEWHERE : didYouMean(asked, names),
  );
}

async function onlySchema(store: SchemaStore, tenantId: string, table: string): Promise<SchemaRecord> {
  const { records, more } = await store.page(tenantId, { after: null, limit: 2 });
  const [first] = records;
  if (first !== undefined && records.length === 1 && !more) return first;
  throw new PenstockError('SCHEMA_REQUIRED', `Schema required for table: ${table}`, {
    detail:
      first === undefined
        ? 'The tenant has no schema yet: create one, then write <schema>.<table>.'
        : 'The tenant has several schemas: write <schema>.<table>.',
  });
}
