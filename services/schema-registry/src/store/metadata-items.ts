import { gunzipSync, gzipSync } from 'node:zlib';
import { METADATA_KEPT_DAYS, METADATA_STORED_BYTES_MAX } from '../limits.ts';
import { fitMetadata } from '../metadata/fit-metadata.ts';
import type { KnownTable, MetadataOwner, StoredTable } from './metadata-store.ts';
import {
  fromStoredMetadata,
  isKnownWhole,
  toStoredMetadata,
  type StoredMetadata,
} from './stored-metadata.ts';
import type { StoredItem } from './stored-item.ts';
import type { TableMetadata } from '../metadata/table-metadata.ts';

const DAY_S = 24 * 60 * 60;

/** Before a table's name in the sort key: its metadata. */
export const TABLE_PREFIX = 'table#';

/** Before a table's name in the sort key: a small item that lists it, so that listing reads no metadata. */
export const NAME_PREFIX = 'name#';

/** Before a table's name in the sort key: what queries saw of it. */
export const LEARNED_PREFIX = 'learned#';

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
 * The version of what a stored item says. Since 3, it says all of an index whose key has several attributes. Since 2,
 * such indexes are apart, and each index says whether it may lack items. Before, such an index was stored with the first
 * attribute of each key. A release reads what a later one stored.
 */
const METADATA_FORMAT = 3;

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
  const format = Number(item['format']?.N ?? 1);
  const stored = JSON.parse(json) as StoredMetadata;
  return Object.freeze({
    metadata: fromStoredMetadata(format < 2 ? withoutGlobalIndexes(stored) : stored),
    isCurrent: format >= 2 && isKnownWhole(stored),
    revision: Number(item['revision']?.N),
  });
}

/** What an older release stored, without its global indexes: they may be wrong. Local indexes were always right. */
function withoutGlobalIndexes(stored: StoredMetadata): StoredMetadata {
  const indexes = stored.indexes
    .filter(({ global }) => !global)
    .map((index) => ({ ...index, coverage: 'complete' as const }));
  return { ...stored, indexes };
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
  return gzipSync(JSON.stringify(toStoredMetadata(metadata)));
}
