import { setTimeout as pause } from 'node:timers/promises';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { WRITE_ATTEMPTS_MAX, WRITE_PAUSE_MS_MAX } from '../limits.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';
import type { SchemaStore } from '../store/schema-store.ts';
import type { MetadataStore } from '../store/metadata-store.ts';
import type { TableMetadata } from './table-metadata.ts';

/**
 * Changes one table's metadata: `next` gets what is stored (null: nothing) and returns what is to be stored (null:
 * leave it). It is called again where another writer came first, so nothing is lost. Returns what then stands.
 *
 * A deleted schema loses its record first, then its metadata. So each write of metadata looks at the record
 * afterwards, and is undone where that incarnation of the schema is over. A refresh that ran meanwhile leaves nothing
 * behind.
 */
export async function changeTable(
  stores: { metadata: MetadataStore; schemas: SchemaStore },
  record: SchemaRecord,
  tableName: string,
  next: (stored: TableMetadata | null) => TableMetadata | null,
): Promise<TableMetadata | null> {
  for (let attempt = 1; attempt <= WRITE_ATTEMPTS_MAX; attempt++) {
    const stored = await stores.metadata.get(record, tableName);
    const metadata = next(stored?.metadata ?? null);
    if (metadata === null) return stored?.metadata ?? null;
    if (await stores.metadata.put(record, metadata, stored?.revision ?? null)) {
      await takeBackIfOver(stores, record, tableName);
      return metadata;
    }
    await pause(Math.random() * WRITE_PAUSE_MS_MAX);
  }
  throw new PenstockError('UNAVAILABLE', 'The metadata of the table is being changed by others; try again');
}

async function takeBackIfOver(
  stores: { metadata: MetadataStore; schemas: SchemaStore },
  record: SchemaRecord,
  tableName: string,
): Promise<void> {
  const current = await stores.schemas.get(record.tenantId, record.schemaName);
  if (current?.incarnation !== record.incarnation) await stores.metadata.remove(record, tableName);
}
