/**
 * Tables as the planner knows them: frozen data, made from the registry's answers by `clients/`.
 */

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
 * Whether an index holds every item that has all of its key attributes. complete: certainly; assumed: none was met that
 * it lacks, but not every item has been read; lacking: some were met, with values that are no keys: of another type, empty
 * or too long. They are older than the index, and only a global one may lack them.
 */
export type IndexCoverage = 'complete' | 'assumed' | 'lacking';

export interface SecondaryIndex {
  readonly name: string;
  readonly global: boolean;
  readonly key: KeySchema;
  readonly projection: 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
  readonly nonKeyAttributes: readonly string[];
  readonly itemCount: number;
  readonly sizeBytes: number;
  readonly coverage: IndexCoverage;
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
}

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
  /** Keys first, then by name. */
  readonly attributes: readonly Attribute[];
  /** 0: never sampled, or nothing found. */
  readonly sampledItems: number;
  /** True where a sample found no item, and DynamoDB has counted none either; absent: not known. */
  readonly foundEmpty?: boolean;
}
