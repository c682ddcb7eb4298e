import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { RawReadCommand } from '@penstock/common/dynamodb/raw-reads.ts';
import type { KeptAnswers } from './reader/kept-answers.ts';
import type { Pacer } from './reader/pacer.ts';
import type { RunSliced } from '../scheduling/sliced-work.ts';
import type { TableRead } from './table-read.ts';

/** Counts what a statement consumes, in half read units (the least that DynamoDB charges). */
export interface UnitMeter {
  /** Throws READ_UNIT_LIMIT once more than the statement's `maxReadUnits` has been consumed. */
  add(halfUnits: number): void;
  /** Something was asked for, whose answer is added when it comes, however the statement goes on; then this settles. */
  underWay(answer: Promise<unknown>): void;
  /** Once what is under way has been added; null where nothing is. */
  settled(): Promise<void> | null;
  readonly halfUnits: number;
}

/** Once: what a page cost, half units; and for how long its table is to be left alone since it throttled, milliseconds. */
export type SettlePage = (halfUnits: number, holdMs: number) => void;

/** Limits that a page is asked for under. */
export interface PageLimits {
  /** Which, as an error says it. */
  readonly name: string;
  /**
   * Waits until the page may be asked for. Throws the signal's reason, or a PenstockError where it may not be asked for at
   * all.
   */
  enter(command: RawReadCommand, signal: AbortSignal): Promise<SettlePage>;
}

/** Is told what reads see; of a read with arms, each arm tells of itself. */
export interface ReadObserver {
  /** A page of a Query or Scan: its items before and after the filter, and whether its range or segment ends with it. */
  page(
    read: TableRead,
    seen: { readonly scanned: number; readonly passed: number; readonly isLast: boolean },
  ): void;
  /** A range that was read to its end: its items before the filter, and what they cost. */
  range(read: TableRead, seen: { readonly items: number; readonly halfUnits: number }): void;
  /** Items that were asked for by whole keys. */
  fetched(
    read: TableRead,
    seen: { readonly asked: number; readonly found: number; readonly halfUnits: number },
  ): void;
}

/** Follows a read page by page, and says how far it goes. */
export interface ReadSteering {
  /** Before a page is asked for: how many items it may read at most; null: none, the read ends. */
  readonly nextItems: () => number | null;
  /** What a page, or a batch of items by key, consumed. */
  readonly spent: (halfUnits: number) => void;
  /** Of a page of a Query or Scan: its items before the filter, and what it consumed. */
  readonly scanned?: (items: number, halfUnits: number) => void;
  /** A range has ended of which the first items are read: whether it had as many. */
  readonly topRead?: (isFull: boolean) => void;
}

/** What a read needs besides its description. */
export interface ReadContext {
  /** From common's tenant clients: its success bodies come raw. */
  readonly client: DynamoDBClient;
  /** Ends the read: no other request is sent, and nobody waits for those in flight. What they consume counts when they come. */
  readonly signal: AbortSignal;
  readonly meter: UnitMeter;
  /** The table's: shared by all that reads it at the time. */
  readonly pacer: Pacer;
  /** The schema as its owner named it, for messages. */
  readonly schemaName: string;
  /** Null: the read's pages have no limits. */
  readonly limitsOf: (index: string | null) => PageLimits | null;
  /** Runs what decoding takes. */
  readonly runSliced: RunSliced;
  /** Waits until a page may be asked for; answers what to call once it is decoded. Throws the signal's reason. */
  readonly enterPage: (signal: AbortSignal) => Promise<() => void>;
  /** Only for reads whose pages are asked for one after the other, or all the same whatever they give; absent: the read goes on by itself. */
  readonly steering?: ReadSteering;
  /**
   * Told once, when a read of whole items ends, which attributes it met that the catalog does not know: types as bits of
   * `1 << TypeCode`.
   */
  readonly onDiscovery?: (attributes: ReadonlyMap<string, number>) => void;
  /** The same as soon as there are more of them than it was told before. */
  readonly onUnknown?: (attributes: ReadonlyMap<string, number>) => void;
  readonly observer?: ReadObserver;
  /** Absent: none are kept. */
  readonly answers?: KeptAnswers;
  /** What an answer had cost that is read again. */
  readonly onReadAgain?: (halfUnits: number) => void;
}
