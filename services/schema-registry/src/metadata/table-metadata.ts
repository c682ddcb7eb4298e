import { createHash } from 'node:crypto';
import type { EstimateRange } from './estimate-range.ts';
import type { AttributeType } from './item-value.ts';
import { limitsOfTable } from '../schemas/read-limits.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';
import { accessFingerprint } from '../schemas/table-allowlist.ts';

/** A key attribute; only these types can be keys. */
export interface KeyAttribute {
  readonly name: string;
  readonly type: 'S' | 'N' | 'B';
}

/** A primary key. */
export interface KeySchema {
  readonly partitionKey: KeyAttribute;
  /** Null where the key is simple. */
  readonly sortKey: KeyAttribute | null;
}

/**
 * The key of an index: attributes in the order in which they are declared. A global index may have up to four of each
 * kind (developer guide, "Multi-attribute keys pattern"); it holds only items that have all of them.
 */
export interface IndexKey {
  readonly partitionKeys: readonly KeyAttribute[];
  /** None where the key is simple. */
  readonly sortKeys: readonly KeyAttribute[];
}

/** An index's key where it has one attribute of each kind at most; null where it has several. */
export function singleKey({ partitionKeys, sortKeys }: IndexKey): KeySchema | null {
  const [partitionKey, ...others] = partitionKeys;
  if (partitionKey === undefined || others.length > 0 || sortKeys.length > 1) return null;
  return { partitionKey, sortKey: sortKeys[0] ?? null };
}

/** What an index holds beside its keys and the table's. */
export type Projection = 'ALL' | 'KEYS_ONLY' | 'INCLUDE';

/**
 * Whether an index holds every item that has all of its key attributes (neither absent nor NULL). Items whose values had
 * another type than the key, were empty or too long when a global index was added stay out of it, and DynamoDB refuses
 * such values from then on (developer guide, "Detecting and correcting index key violations").
 *
 * complete: it does, since it is local, or since a sample that read every item met none that it could lack; assumed: not
 * every item has been read, and none was met that it could lack; lacking: such items were met.
 */
export type IndexCoverage = 'complete' | 'assumed' | 'lacking';

/** An index that can be read. */
export interface SecondaryIndex {
  readonly name: string;
  /** Global (own partition key, eventually consistent only) or local. */
  readonly global: boolean;
  readonly key: IndexKey;
  readonly projection: Projection;
  /** With INCLUDE; by name. */
  readonly nonKeyAttributes: readonly string[];
  readonly itemCount: number;
  readonly sizeBytes: number;
  readonly coverage: IndexCoverage;
  /** Provisioned read capacity of a global index, units a second; absent: on demand, or the table's. */
  readonly readCapacity?: number;
  /** Where coverage is lacking: when such an item was last met, ISO 8601. */
  readonly lackingMetAt?: string;
}

/** How often a type was met. 0: declared (a key), not met. */
interface TypeCount {
  readonly type: AttributeType;
  readonly count: number;
}

/** An attribute as samples and reads met it. */
export interface AttributeStatistics {
  readonly name: string;
  /** By type name. */
  readonly types: readonly TypeCount[];
  /** Of the numbers, most digits before the point; 0 where no number was met. */
  readonly integerDigits: number;
  /** Of the numbers, most digits after the point. */
  readonly scale: number;
  /** Entries of the maps, by name; at most three levels. */
  readonly nested: readonly AttributeStatistics[];
  /** Distinct scalar values of the sample, as far as they were counted. */
  readonly distinctValues: number;
  /**
   * Distinct values in all items of the table, as far as a sample tells; absent where none told, where the items have not
   * been counted, and below the top level.
   */
  readonly distinct?: EstimateRange;
  /**
   * Since when samples have not met it, ISO 8601; absent where the last one did, and below the top level. Such an
   * attribute stays known for a while: `SELECT *` must not lose a column because a sample is small.
   */
  readonly unsampledSince?: string;
  /**
   * When it was met, ISO 8601, where that was after the table's first sample; absent for those of that sample, and below the
   * top level. `SELECT *` has such columns last, in this order: whoever walks over pages sees none come in between.
   */
  readonly metSince?: string;
}

/** What DescribeTable says of a table. */
export interface TableDescription {
  readonly tableName: string;
  readonly key: KeySchema;
  /** By name; only those that are active. */
  readonly indexes: readonly SecondaryIndex[];
  /** Updated by DynamoDB every six hours or so. */
  readonly itemCount: number;
  readonly sizeBytes: number;
  /** Provisioned read capacity, units a second; absent: on demand. */
  readonly readCapacity?: number;
}

/**
 * What is known of a table. An `itemCount` of 0 with `sampledItems` above it: not counted yet, and perhaps large;
 * `sizeBytes` is then that of the sampled items.
 */
export interface TableMetadata extends TableDescription {
  readonly kind: 'table-metadata';
  /** Keys and index keys always; by name. */
  readonly attributes: readonly AttributeStatistics[];
  /** Items of a partition on average; null where no sample told. Absent in what an older release stored. */
  readonly itemsPerKey?: EstimateRange | null;
  /** 0: not sampled (or the sample found no item, where `sampledAt` is set). */
  readonly sampledItems: number;
  /** ISO 8601, UTC. */
  readonly describedAt: string;
  /** ISO 8601, UTC; null where never sampled. */
  readonly sampledAt: string | null;
}

/**
 * Changes whenever what a planner sees of the table does: its metadata, or the way to it. When it was described and
 * sampled does not count: a refresh that finds nothing new keeps the version.
 */
export function tableVersion(record: SchemaRecord, metadata: TableMetadata): string {
  const { describedAt: _described, sampledAt: _sampled, attributes, indexes, ...content } = metadata;
  const shown = attributes.map(({ unsampledSince: _since, ...attribute }) => attribute);
  const planned = indexes.map(({ lackingMetAt: _metAt, ...index }) => index);
  const limits = limitsOfTable(record.readLimits, metadata.tableName);
  const parts = [record.schemaName, accessFingerprint(record), content, planned, shown, limits];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
