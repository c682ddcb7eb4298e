/**
 * Tables as the planner knows them: frozen data, made from the registry's answers by `clients/`.
 */
import { remembered } from '@penstock/common/caching/remembered.ts';

/** DynamoDB's attribute types. */
export type AttributeType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'M' | 'L' | 'SS' | 'NS' | 'BS';

/** How the tenant's table is reached. Goes to the credentials, never into a message. */
export interface SchemaAccess {
  readonly roleArn: string;
  readonly externalId: string;
  readonly region: string;
  readonly tableAllowlist: readonly string[];
}

export interface KeyAttribute {
  readonly name: string;
  readonly type: 'S' | 'N' | 'B';
}

export interface KeySchema {
  readonly partitionKey: KeyAttribute;
  readonly sortKey: KeyAttribute | null;
}

/** The attributes of a key, the partition key's first. */
export function keyNames({ partitionKey, sortKey }: KeySchema): readonly string[] {
  return sortKey === null ? [partitionKey.name] : [partitionKey.name, sortKey.name];
}

/**
 * The key of an index: attributes in the order in which they are declared, one of the partition key at least. A global
 * index may have up to four of each kind (developer guide, "Multi-attribute keys pattern").
 */
export interface IndexKey {
  readonly partitionKeys: readonly KeyAttribute[];
  readonly sortKeys: readonly KeyAttribute[];
}

/** The attributes of an index's key, the partition key's first. */
export function indexKeyAttributes({ partitionKeys, sortKeys }: IndexKey): readonly KeyAttribute[] {
  return [...partitionKeys, ...sortKeys];
}

/** Their names. */
export function indexKeyNames(key: IndexKey): readonly string[] {
  return indexKeyAttributes(key).map(({ name }) => name);
}

const asLists = remembered(({ partitionKey, sortKey }: KeySchema): IndexKey =>
  Object.freeze({ partitionKeys: [partitionKey], sortKeys: sortKey === null ? [] : [sortKey] }),
);

/** The key by which a table (`index` null) or an index of it is queried. */
export function queryKey(table: Pick<CatalogTable, 'key'>, index: SecondaryIndex | null): IndexKey {
  return index?.key ?? asLists(table.key);
}

const allKeys = (table: Pick<CatalogTable, 'key' | 'indexes'>): readonly IndexKey[] => [
  asLists(table.key),
  ...table.indexes.map(({ key }) => key),
];

/** The key attributes of a table and of its indexes, repetitions included. */
export function allKeyAttributes(table: Pick<CatalogTable, 'key' | 'indexes'>): readonly KeyAttribute[] {
  return allKeys(table).flatMap(indexKeyAttributes);
}

/** The partition key attributes of a table and of its indexes, repetitions included. */
export function allPartitionKeys(table: Pick<CatalogTable, 'key' | 'indexes'>): readonly KeyAttribute[] {
  return allKeys(table).flatMap(({ partitionKeys }) => partitionKeys);
}

/**
 * Whether an index holds every item that has all of its key attributes. complete: certainly; assumed: none was met that
 * it lacks, but not every item has been read; lacking: some were met, with values that are no keys: of another type, empty
 * or too long. They are older than the index, and only a global one may lack them.
 */
export type IndexCoverage = 'complete' | 'assumed' | 'lacking';

export interface SecondaryIndex {
  readonly name: string;
  readonly global: boolean;
  readonly key: IndexKey;
  readonly projection: 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
  readonly nonKeyAttributes: readonly string[];
  readonly itemCount: number;
  readonly sizeBytes: number;
  readonly coverage: IndexCoverage;
  /** Provisioned read capacity of a global index, units a second; absent: on demand, not known, or the table's. */
  readonly readCapacity?: number;
}

/** What queries may read of a table, as its schema's owner set it. Null: that is not set. */
export interface TableReadLimits {
  /** Of all queries together. */
  readonly unitsPerSecond: number | null;
  /** Of one query. */
  readonly unitsPerQuery: number | null;
}

/** What a figure is likely to be, and what it may be as far as is known. Guesses may use it, answers and bounds may not. */
export interface EstimateRange {
  readonly low: number;
  readonly estimate: number;
  readonly high: number;
}

/** An attribute as the sample saw it: a hint for cost and for first column types, never a promise. */
export interface Attribute {
  readonly name: string;
  /** How many sampled items held each type. */
  readonly types: Readonly<Partial<Record<AttributeType, number>>>;
  /** Of the numbers seen: most digits before and after the point. */
  readonly integerDigits: number;
  readonly scale: number;
  /** Attributes of the maps below, three levels at most. */
  readonly nested: readonly Attribute[];
  /** Distinct values in the sample, as far as counted; 0 when unknown. */
  readonly distinctValues: number;
  /** Distinct values in all items of the table; absent where that is not known. */
  readonly distinct?: EstimateRange;
  /** When it was met, ISO 8601, where that was after the table's first sample. */
  readonly metSince?: string;
}

/** What queries found by keys of a path. */
export interface LearnedKeys {
  /** Null: the table. */
  readonly index: string | null;
  readonly keyColumns: readonly string[];
  readonly keys: number;
  /** Of these, those without any item. */
  readonly missing: number;
  readonly items: number;
  readonly units: number;
}

/** What passed a filter of a path. */
export interface LearnedFilter {
  /** Null: the table. */
  readonly index: string | null;
  /** The filter without its values. */
  readonly form: string;
  readonly read: number;
  readonly passed: number;
}

/** What executed queries saw of a table. Guesses may use it, answers and bounds may not. */
export interface LearnedStatistics {
  readonly keys: readonly LearnedKeys[];
  readonly filters: readonly LearnedFilter[];
}

/**
 * What a column tells of a row besides its item: the number of its segment, or PostgreSQL's `ctid`, which is the segment and
 * the row's place in it, as a number or as it is shown.
 */
export type ToldColumn = 'segment' | 'ctid number' | 'ctid';

export interface CatalogTable {
  /** Changes whenever anything else here does. */
  readonly version: string;
  /** As stored; the name to show. */
  readonly schemaName: string;
  /** DynamoDB's own name. */
  readonly tableName: string;
  readonly access: SchemaAccess;
  readonly key: KeySchema;
  readonly indexes: readonly SecondaryIndex[];
  /**
   * From DescribeTable, hours old at times. An `itemCount` of 0: not counted yet, and perhaps large, unless `foundEmpty`;
   * `sizeBytes` is then that of the sampled items.
   */
  readonly itemCount: number;
  readonly sizeBytes: number;
  /**
   * Set where the rows are the entries of an index, not the table's items (`index-relation.ts`): that index's name. Then
   * `indexes` has it alone, and sizes are its own.
   */
  readonly entriesOf?: string;
  /**
   * Columns that tell of a row which part of a scan it is in (`segment-relation.ts`), by name, and the relation's own name
   * where the statement names it. Absent: none.
   */
  readonly told?: ReadonlyMap<string, ToldColumn>;
  readonly relation?: string;
  /** Indexes that the tenant's role was denied, so that no statement is planned by them unless it names one. */
  readonly deniedIndexes?: readonly SecondaryIndex[];
  /** Keys first, then by name. */
  readonly attributes: readonly Attribute[];
  /** 0: never sampled, or nothing found. */
  readonly sampledItems: number;
  /** True where a sample found no item, and DynamoDB has counted none either; absent: not known. */
  readonly foundEmpty?: boolean;
  /** Provisioned read capacity, units a second; absent: on demand, or not known. */
  readonly readCapacity?: number;
  /** Absent: its schema's owner set nothing. */
  readonly readLimits?: TableReadLimits;
  /** Items of a partition on average; absent where no sample told. */
  readonly itemsPerKey?: EstimateRange;
  /** Absent where no query has told. */
  readonly learned?: LearnedStatistics;
}
