/**
 * Sends what a `TableRead` says and hands back its rows.
 */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ColumnBatch } from './column-batch.ts';

/** Counts what a statement consumes, in half read units (the least that DynamoDB charges). */
export interface UnitMeter {
  /** Throws READ_UNIT_LIMIT once more than the statement's `maxReadUnits` has been consumed. */
  add(halfUnits: number): void;
  readonly halfUnits: number;
}

/** What a read needs besides its description. */
export interface ReadContext {
  /** From common's tenant clients: its success bodies come raw. */
  readonly client: DynamoDBClient;
  /** Ends the read: requests in flight are aborted, no other is sent. */
  readonly signal: AbortSignal;
  readonly meter: UnitMeter;
  /** The schema as its owner named it, for messages. */
  readonly schemaName: string;
}

/**
 * Some rows of a read. A read's rows in order are its batches by `segment`, then by arrival: the same on every run over
 * unchanged data. All paths but a parallel Scan have one segment, 0, whose batches already come in order.
 */
export interface ReadBatch {
  readonly segment: number;
  readonly batch: ColumnBatch;
}
