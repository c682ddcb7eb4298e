import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { TABLE_CONCURRENCY } from '../limits.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';
import { allowsTable, isRestricted, isWildcard } from '../schemas/table-allowlist.ts';
import { mapConcurrently } from '@penstock/common/concurrency/limit.ts';
import type { MetadataStore } from '../store/metadata-store.ts';
import { reasonOfMany, type FailedTable } from './failed-tables.ts';
import type { ReadTable } from './read-table.ts';
import type { TenantTables } from '../dynamodb/tenant-tables.ts';

/** How one table fared. */
export type TableOutcome =
  | { readonly kind: 'refreshed'; readonly tableName: string; readonly readUnits: number }
  | { readonly kind: 'deleted'; readonly tableName: string }
  | ({ readonly kind: 'failed' } & FailedTable)
  /** Time ran out first. */
  | { readonly kind: 'not-reached'; readonly tableName: string };

/**
 * Refreshes every table that the schema stands for: with `*` those that exist, with names those, without an allowlist
 * those already known. Metadata of tables that are gone or may no longer be seen is removed.
 * One table's failure is its own; the call throws only where no table can be reached at all.
 */
export async function refreshTables(
  parts: { metadata: MetadataStore; readTable: ReadTable },
  record: SchemaRecord,
  tables: TenantTables,
  signal: AbortSignal,
): Promise<readonly TableOutcome[]> {
  const known = await parts.metadata.known(record);
  const described = new Map(known.map(({ tableName, describedAt }) => [tableName, describedAt]));
  const wanted = await wantedTables(record, [...described.keys()], tables, signal);
  const gone = [...described.keys()].filter((name) => !wanted.includes(name));
  const removed = await mapConcurrently(gone, TABLE_CONCURRENCY, async (tableName): Promise<TableOutcome> => {
    await parts.metadata.remove(record, tableName);
    return { kind: 'deleted', tableName };
  });
  // Oldest first, so that a refresh that runs out of time gets further the next time.
  const ordered = [...wanted].sort((a, b) => (described.get(a) ?? '').localeCompare(described.get(b) ?? ''));
  const read = await mapConcurrently(ordered, TABLE_CONCURRENCY, (tableName) => refreshOne(tableName));
  return [...removed, ...read];

  async function refreshOne(tableName: string): Promise<TableOutcome> {
    if (signal.aborted) return { kind: 'not-reached', tableName };
    try {
      const { readUnits } = await parts.readTable({ record, tables, tableName, maySample: true, signal });
      return { kind: 'refreshed', tableName, readUnits };
    } catch (error) {
      if (signal.aborted) return { kind: 'not-reached', tableName };
      return failure(tableName, error);
    }
  }

  async function failure(tableName: string, error: unknown): Promise<TableOutcome> {
    if (!(error instanceof PenstockError)) throw error;
    if (error.code === 'TABLE_NOT_FOUND' && (await parts.metadata.remove(record, tableName))) {
      return { kind: 'deleted', tableName };
    }
    const place = `${record.schemaName}.${tableName}`;
    const reason = error.message;
    return { kind: 'failed', tableName, reason, reasonOfMany: reasonOfMany(reason, place) };
  }
}

async function wantedTables(
  record: SchemaRecord,
  known: readonly string[],
  tables: TenantTables,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { tableAllowlist } = record;
  if (isWildcard(tableAllowlist)) return tables.list(signal);
  if (isRestricted(tableAllowlist)) return tableAllowlist;
  return known.filter((name) => allowsTable(tableAllowlist, name));
}
