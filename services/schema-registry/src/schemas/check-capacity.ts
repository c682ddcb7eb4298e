/** Read limits against the tables that there are. */
import { mapConcurrently } from '@penstock/common/concurrency/limit.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { OpenTenantTables } from '../dynamodb/tenant-tables.ts';
import { TABLE_CONCURRENCY, TABLE_READ_MS_MAX } from '../limits.ts';
import type { MetadataStore } from '../store/metadata-store.ts';
import { limitsOfTable } from './read-limits.ts';
import type { SchemaRecord } from './schema-record.ts';
import { allowsTable } from './table-allowlist.ts';

/**
 * Throws VALIDATION_ERROR where a limit is above the provisioned read capacity of a table that it holds for, or is set for a
 * table that does not exist. Of tables that nobody has asked for yet only those that the limits name are described; where
 * the role does not let that happen, what it cannot tell is not held against the limits.
 */
export type CheckCapacity = (record: SchemaRecord, requestId: string) => Promise<void>;

export function createCheckCapacity(parts: {
  metadata: MetadataStore;
  openTables: OpenTenantTables;
}): CheckCapacity {
  /** Undefined: on demand, or not to be told. */
  async function capacityOf(
    record: SchemaRecord,
    tableName: string,
    requestId: string,
  ): Promise<number | undefined> {
    const stored = await parts.metadata.get(record, tableName);
    if (stored !== null) return stored.metadata.readCapacity;
    try {
      const tables = parts.openTables(record, requestId);
      return (await tables.describe(tableName, AbortSignal.timeout(TABLE_READ_MS_MAX))).readCapacity;
    } catch (error) {
      if (!(error instanceof PenstockError)) throw error;
      if (error.code !== 'TABLE_NOT_FOUND') return undefined;
      throw new PenstockError(
        'VALIDATION_ERROR',
        `readLimits.tableUnitsPerSecond.${tableName}: there is no such table in ${record.region}`,
      );
    }
  }

  return async (record, requestId) => {
    const { readLimits } = record;
    if (readLimits === null) return;
    const named = Object.keys(readLimits.tableUnitsPerSecond ?? {});
    const known =
      readLimits.unitsPerSecond === undefined
        ? []
        : (await parts.metadata.known(record)).map(({ tableName }) => tableName);
    const tables = [...new Set([...named, ...known])].filter((tableName) =>
      allowsTable(record.tableAllowlist, tableName),
    );
    await mapConcurrently(tables, TABLE_CONCURRENCY, async (tableName) => {
      const { unitsPerSecond } = limitsOfTable(readLimits, tableName) ?? {};
      if (unitsPerSecond === undefined) return;
      const capacity = await capacityOf(record, tableName, requestId);
      if (capacity === undefined || unitsPerSecond <= capacity) return;
      throw new PenstockError(
        'VALIDATION_ERROR',
        named.includes(tableName)
          ? `readLimits.tableUnitsPerSecond.${tableName} must be at most ${capacity}, the table's read capacity`
          : `readLimits.unitsPerSecond must be at most ${capacity}, the read capacity of table ${tableName}: lower it, or ` +
              'set that table apart in readLimits.tableUnitsPerSecond',
      );
    });
  };
}
