import type { Clock } from '@penstock/common/time/clock.ts';
import { ATTRIBUTES_MAX, NESTED_LEVELS_MAX } from '../limits.ts';
import { schemaNotFound } from '../schemas/schema-errors.ts';
import type { SchemaStore } from '../store/schema-store.ts';
import { fitMetadata } from './fit-metadata.ts';
import { changeTable } from './known-tables.ts';
import { mergeAttributes } from './merge-attributes.ts';
import type { MetadataStore } from '../store/metadata-store.ts';
import type { AttributeStatistics, TableMetadata } from './table-metadata.ts';

/** Adds what a read met and the sample had not; what is known already is left alone. */
export type ReportAttributes = (
  tenantId: string,
  report: { schemaName: string; tableName: string; attributes: readonly AttributeStatistics[] },
) => Promise<void>;

/**
 * Builds it. A report about a table that is not known (any more) is ignored.
 * Throws PenstockError SCHEMA_NOT_FOUND.
 */
export function createReportAttributes(parts: {
  schemas: SchemaStore;
  metadata: MetadataStore;
  clock: Clock;
}): ReportAttributes {
  return async (tenantId, { schemaName, tableName, attributes }) => {
    const record = await parts.schemas.get(tenantId, schemaName);
    if (record === null) throw schemaNotFound(schemaName);
    const met = attributes.slice(0, ATTRIBUTES_MAX).map((attribute) => bounded(attribute, 0));
    const now = new Date(parts.clock.now()).toISOString();
    await changeTable(parts, record, tableName, (stored) =>
      stored === null ? null : withMet(stored, met, now),
    );
  };
}

/** Null where there is nothing new, or no room for it. */
function withMet(
  stored: TableMetadata,
  met: readonly AttributeStatistics[],
  now: string,
): TableMetadata | null {
  const attributes = mergeAttributes(stored.attributes, met, now);
  if (attributes === stored.attributes) return null;
  const fitted = fitMetadata(Object.freeze({ ...stored, attributes }));
  return JSON.stringify(namesAndTypes(fitted)) === JSON.stringify(namesAndTypes(stored)) ? null : fitted;
}

/** What a report may change, without since when it is known. */
function namesAndTypes(metadata: TableMetadata): unknown {
  return metadata.attributes.map(({ unsampledSince: _since, ...attribute }) => attribute);
}

function bounded(attribute: AttributeStatistics, level: number): AttributeStatistics {
  const nested = level < NESTED_LEVELS_MAX ? attribute.nested.map((entry) => bounded(entry, level + 1)) : [];
  return Object.freeze({ ...attribute, nested });
}
