import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Pacer } from './reader/pacer.ts';
import type { RunSliced } from '../scheduling/sliced-work.ts';

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
  /** The table's: shared by all that reads it at the time. */
  readonly pacer: Pacer;
  /** The schema as its owner named it, for messages. */
  readonly schemaName: string;
  /** Runs what decoding takes. */
  readonly runSliced: RunSliced;
  /** Waits until a page may be asked for; answers what to call once it is decoded. Throws the signal's reason. */
  readonly enterPage: (signal: AbortSignal) => Promise<() => void>;
  /**
   * Told once, when a read of whole items ends, which attributes it met that the catalog does not know: types as bits of
   * `1 << TypeCode`.
   */
  readonly onDiscovery?: (attributes: ReadonlyMap<string, number>) => void;
}
