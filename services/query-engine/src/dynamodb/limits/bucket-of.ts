/** Which token bucket a page counts on, as plain data. */
import type { CatalogTable } from '../../catalog/table.ts';

/** Read units a second, of all queries that name the bucket, whatever engine they are on. */
export interface Bucket {
  /** Within the tenant. */
  readonly name: string;
  readonly unitsPerSecond: number;
  /** True where the schema's owner set it; else it follows from the table's capacity, or from the operator's setting. */
  readonly isSet: boolean;
}

/** Of a provisioned table's read capacity, the part that queries may use where nobody set another: the rest is its owner's. */
const DEFAULT_CAPACITY_SHARE = 0.5;

/**
 * The bucket of reads of a table or of one of its indexes; null where they have no limit. A global index with capacity of its
 * own has a bucket of its own; every other index counts as its table. A limit never exceeds the capacity. `onDemand`: units
 * a second of tables on demand for which nothing is set; null: no limit.
 */
export function bucketOf(
  table: CatalogTable,
  indexName: string | null,
  onDemand: number | null,
): Bucket | null {
  const index = indexName === null ? undefined : table.indexes.find(({ name }) => name === indexName);
  const capacity = index?.readCapacity ?? table.readCapacity ?? null;
  const set = table.readLimits?.unitsPerSecond ?? null;
  const byDefault = capacity === null ? onDemand : capacity * DEFAULT_CAPACITY_SHARE;
  const unitsPerSecond = set === null ? byDefault : Math.min(set, capacity ?? Infinity);
  if (unitsPerSecond === null) return null;
  const { roleArn, region } = table.access;
  // The account is the fifth part of a role's ARN: two schemas may lead to one table, and share what it has.
  const place = set === null ? [roleArn.split(':')[4] ?? '', region] : [table.schemaName];
  const own = index?.readCapacity === undefined ? [] : [index.name];
  return { name: JSON.stringify([...place, table.tableName, ...own]), unitsPerSecond, isSet: set !== null };
}
