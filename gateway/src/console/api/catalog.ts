/** What is known of tables: for completion, and for the Tables page. Nothing is read at the tenant's side for a list. */
import type { Timestamp } from './protocol.ts';

/** Of the tables of all active schemas, by schema and name; schemas with their state are at `GET /v1/schemas`. */
export interface CatalogPage {
  readonly tables: readonly CatalogTable[];
  readonly nextToken?: string;
}

export interface CatalogTable {
  readonly schemaName: string;
  readonly tableName: string;
  /** As a statement writes it, quoted where it has to be: `shop."my.table"`. */
  readonly sqlName: string;
  /** Null where the table has not been described yet: no query has named it. Ask for it by `catalogTablePath`. */
  readonly details: TableDetails | null;
}

export interface TableDetails {
  readonly key: Key;
  readonly indexes: readonly TableIndex[];
  /** From DescribeTable: hours old at times. */
  readonly itemCount: number;
  readonly sizeBytes: number;
  /** How old the two figures are at least. */
  readonly describedAt: Timestamp;
  /** When items were sampled; absent where they never were. */
  readonly sampledAt?: Timestamp;
  /** Items that `columns` were learned from; 0: only keys are known. */
  readonly sampledItems: number;
  /** Keys first, then by name. */
  readonly columns: readonly Column[];
  /** Items with the same partition key on average, guessed from the sample. */
  readonly itemsPerKey?: Range;
  /** Provisioned read capacity, units a second; absent: on demand, or not known. */
  readonly readCapacity?: number;
}

/** Attributes in the order in which they are declared. A table has one of each kind at most, a global index up to four. */
export interface Key {
  readonly partitionKeys: readonly KeyColumn[];
  readonly sortKeys: readonly KeyColumn[];
}

export interface KeyColumn {
  readonly name: string;
  readonly type: 'S' | 'N' | 'B';
}

export interface TableIndex extends Key {
  readonly name: string;
  /** The index as a relation of its own: `shop.orders.by_status`. */
  readonly sqlName: string;
  readonly kind: 'global' | 'local';
  readonly projection: 'all' | 'keys' | 'include';
  /** With `include`. */
  readonly nonKeyAttributes: readonly string[];
  readonly itemCount: number;
  readonly sizeBytes: number;
  /** Entries of the index as a share of the table's items, 0 to 1; absent where the table has none. */
  readonly filled?: number;
  /** Whether it holds every item that has its key attributes: see SQL.md, "Queries that cost little". */
  readonly coverage: 'complete' | 'assumed' | 'lacking';
}

/** DynamoDB's types by their own names. */
export type DynamoDbType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'M' | 'L' | 'SS' | 'NS' | 'BS';

export interface Column {
  /** At its level; `nested` has what is below. Chosen by strangers: any text. */
  readonly name: string;
  /** As a statement writes it, with what is above it: `"first name"`, `address.city`. */
  readonly sqlName: string;
  /** SQL type as far as the sample tells: `VARCHAR`, `BIGINT`, `DECIMAL(9,2)`, `JSON`; `MIXED`: several; `unknown`. */
  readonly sqlType: string;
  /** Sampled items by the type that they have here, most frequent first. */
  readonly types: readonly { readonly type: DynamoDbType; readonly items: number }[];
  /** Share of the sampled items that have a value here, 0 to 1; NULL is none. Absent: no sample. */
  readonly filled?: number;
  /** Different values in the sample; 0: not counted. */
  readonly distinctValues: number;
  /** Different values in the whole table, guessed. */
  readonly distinct?: Range;
  readonly nested: readonly Column[];
}

/** Probably from `low` to `high`. */
export interface Range {
  readonly low: number;
  readonly estimate: number;
  readonly high: number;
}
