import type { Item } from './item-value.ts';
import type { SecondaryIndex, TableDescription } from './table-metadata.ts';
import type { SchemaRecord } from '../schemas/schema-record.ts';

/** One page of one segment. */
export interface ScanPage {
  readonly items: readonly Item[];
  /** Read units that the page consumed. */
  readonly readUnits: number;
  /** True when the segment holds nothing more. */
  readonly ended: boolean;
}

/**
 * A tenant's tables as its access role shows them. Every call throws PenstockErrors: ACCESS_DENIED (the role cannot be
 * assumed, or lacks the action that the message names), TABLE_NOT_FOUND, THROTTLED, UNAVAILABLE, TIMEOUT.
 */
export interface TenantTables {
  /** Assumes the role, unless credentials of it are at hand; nothing is asked of DynamoDB. */
  connect(signal: AbortSignal): Promise<void>;
  /** DescribeTable: consumes no read units. */
  describe(tableName: string, signal: AbortSignal): Promise<TableDescription>;
  /** The first page of a segment. */
  scan(
    tableName: string,
    part: { segment: number; totalSegments: number; limit: number },
    signal: AbortSignal,
  ): Promise<ScanPage>;
  /** Asks an index for one item, to see whether that is allowed. */
  probeIndex(
    tableName: string,
    index: SecondaryIndex,
    action: 'dynamodb:Query' | 'dynamodb:Scan',
    signal: AbortSignal,
  ): Promise<void>;
  /** All table names of account and region, in DynamoDB's order. */
  list(signal: AbortSignal): Promise<readonly string[]>;
}

/** Opens a schema's tables through its role; does nothing by itself. */
export type OpenTenantTables = (record: SchemaRecord, requestId: string) => TenantTables;
