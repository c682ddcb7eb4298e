import { gunzipSync, gzipSync } from 'node:zlib';
import { METADATA_KEPT_DAYS, METADATA_STORED_BYTES_MAX } from '../limits.ts';
import { fitMetadata } from '../metadata/fit-metadata.ts';
import type { KnownTable, MetadataOwner, StoredTable } from './metadata-store.ts';
import type { TableMetadata } from '../metadata/table-metadata.ts';
import type { StoredItem } from './stored-item.ts';

const DAY_S = 24 * 60 * 60;

/** Before a table's name in the sort key: its metadata. */
export const TABLE_PREFIX = 'table#';

/** Before a table's name in the sort key: a small item that lists it, so that listing reads no metadata. */
export const NAME_PREFIX = 'name#';

/** The sort key of a schema's refresh state. */
export const REFRESH_KEY = 'refresh';

/** The partition that holds the metadata of one life of a schema. */
export function metadataPartition({ tenantId, incarnation }: MetadataOwner): string {
  return `metadata#${tenantId}#${incarnation}`;
}

/** The key of one item of that partition. */
export function metadataKey(owner: MetadataOwner, sortKey: string): StoredItem {
  return { pk: { S: metadataPartition(owner) }, sk: { S: sortKey } };
}

/**
 * The version of what a stored item says. Since 2, indexes whose keys have several attributes are apart, and each
 * index says whether it may lack items. Before, such an index was stored with the first attribute of each key.
 */
const METADATA_FORMAT = 2;

/** A table's metadata as an item, compressed: names of attributes repeat, and an item holds 400 KB. */
export function toMetadataItem(
  owner: MetadataOwner,
  metadata: TableMetadata,
  revision: number,
  nowMs: number,
): StoredItem {
  return {
    ...metadataKey(owner, TABLE_PREFIX + metadata.tableName),
    body: {
      B: compress(fitMetadata(metadata, (tried) => compress(tried).byteLength <= METADATA_STORED_BYTES_MAX)),
    },
    format: { N: String(METADATA_FORMAT) },
    revision: { N: String(revision) },
    ...expiry(nowMs),
  };
}

/** What an item of `toMetadataItem` holds. */
export function fromMetadataItem(item: StoredItem): StoredTable {
  const json = gunzipSync(item['body']?.B ?? new Uint8Array()).toString();
  const isCurrent = Number(item['format']?.N ?? 1) >= METADATA_FORMAT;
  const stored = JSON.parse(json) as TableMetadata;
  return Object.freeze({
    metadata: isCurrent ? stored : withoutGlobalIndexes(stored),
    isCurrent,
    revision: Number(item['revision']?.N),
  });
}

/** What an older release stored, without its global indexes: they may be wrong. Local indexes were always right. */
function withoutGlobalIndexes(stored: Omit<TableMetadata, 'unusedIndexes'>): TableMetadata {
  const indexes = stored.indexes
    .filter(({ global }) => !global)
    .map((index) => Object.freeze({ ...index, coverage: 'complete' as const }));
  return Object.freeze({ ...stored, indexes: Object.freeze(indexes), unusedIndexes: Object.freeze([]) });
}

/** The small item that lists a table. */
export function toNameItem(owner: MetadataOwner, metadata: TableMetadata, nowMs: number): StoredItem {
  return {
    ...metadataKey(owner, NAME_PREFIX + metadata.tableName),
    describedAt: { S: metadata.describedAt },
    ...expiry(nowMs),
  };
}

/** What an item of `toNameItem` holds. */
export function fromNameItem(item: StoredItem): KnownTable {
  return Object.freeze({
    tableName: item['sk']?.S?.slice(NAME_PREFIX.length) ?? '',
    describedAt: item['describedAt']?.S ?? '',
  });
}

/** When DynamoDB may remove the item by itself. */
export function expiry(nowMs: number): StoredItem {
  return { expiresAt: { N: String(Math.floor(nowMs / 1000) + METADATA_KEPT_DAYS * DAY_S) } };
}

function compress(metadata: TableMetadata): Uint8Array {
  return gzipSync(JSON.stringify(metadata));
}
