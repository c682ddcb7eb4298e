import { setTimeout as pause } from 'node:timers/promises';
import { WRITE_ATTEMPTS_MAX, WRITE_PAUSE_MS_MAX } from '../../limits.ts';
import { schemaNotFound } from '../../schemas/schema-errors.ts';
import type { SchemaStore } from '../../store/schema-store.ts';
import type { LearnedStore } from '../../store/learned-store.ts';
import type { MetadataStore } from '../../store/metadata-store.ts';
import { keyAttributes } from '../merge-attributes.ts';
import type { TableMetadata } from '../table-metadata.ts';
import { learn, type LearnedFilter, type LearnedKeys, type LearnedStatistics } from './learned-statistics.ts';
import { NOTHING_STORED, withShown } from './shown-statistics.ts';

/** Adds what executed queries saw of a table. */
export type ReportReads = (
  tenantId: string,
  report: { readonly schemaName: string; readonly tableName: string; readonly seen: LearnedStatistics },
) => Promise<void>;

/**
 * Builds it. A report about a table that is not known (any more) is ignored, as is one that other writers never make room
 * for: the next one tells as much. Throws PenstockError SCHEMA_NOT_FOUND.
 */
export function createReportReads(parts: {
  schemas: SchemaStore;
  metadata: MetadataStore;
  learned: LearnedStore;
}): ReportReads {
  return async (tenantId, { schemaName, tableName, seen }) => {
    const record = await parts.schemas.get(tenantId, schemaName);
    if (record === null) throw schemaNotFound(schemaName);
    const table = await parts.metadata.get(record, tableName);
    if (table === null) return;
    const likely = likelyOf(seen, table.metadata);
    if (likely.keys.length + likely.filters.length === 0) return;
    for (let attempt = 1; attempt <= WRITE_ATTEMPTS_MAX; attempt++) {
      const stored = await parts.learned.get(record, tableName);
      const { learned, shown } = stored?.statistics ?? NOTHING_STORED;
      const next = withShown(learn(learned, likely), shown);
      if (await parts.learned.put(record, tableName, next, stored?.revision ?? null)) {
        // A schema that was deleted meanwhile takes everything along.
        const current = await parts.schemas.get(tenantId, schemaName);
        if (current?.incarnation !== record.incarnation) await parts.learned.remove(record, tableName);
        return;
      }
      await pause(Math.random() * WRITE_PAUSE_MS_MAX);
    }
  };
}

/** What can be true of the table: whoever reports may have read it when it was another. */
function likelyOf({ keys, filters }: LearnedStatistics, metadata: TableMetadata): LearnedStatistics {
  const indexes = new Set(['', ...metadata.indexes.map(({ name }) => name)]);
  const columns = new Set(keyAttributes(metadata).map(({ name }) => name));
  const isLikelyKeys = (entry: LearnedKeys): boolean =>
    indexes.has(entry.index) &&
    entry.keyColumns.every((name) => columns.has(name)) &&
    entry.keys > 0 &&
    entry.missing <= entry.keys;
  const isLikelyFilter = ({ index, read, passed }: LearnedFilter): boolean =>
    indexes.has(index) && read > 0 && passed <= read;
  return { keys: keys.filter(isLikelyKeys), filters: filters.filter(isLikelyFilter) };
}
