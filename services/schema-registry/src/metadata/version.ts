import { createHash } from 'node:crypto';
import type { SchemaRecord } from '../schemas/schema-record.ts';
import { accessFingerprint } from '../schemas/table-allowlist.ts';
import type { TableMetadata } from './table-metadata.ts';

/**
 * Changes whenever what a planner sees of the table does: its metadata, or the way to it. When it was described and
 * sampled does not count: a refresh that finds nothing new keeps the version.
 */
export function tableVersion(record: SchemaRecord, metadata: TableMetadata): string {
  const { describedAt: _described, sampledAt: _sampled, attributes, indexes, ...content } = metadata;
  const shown = attributes.map(({ unsampledSince: _since, ...attribute }) => attribute);
  const planned = indexes.map(({ lackingMetAt: _metAt, ...index }) => index);
  const parts = [record.schemaName, accessFingerprint(record), content, planned, shown];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
