/** What running a statement needs besides its plan. */
import type { decideAfter } from '../dynamodb/bounded-regret/choose-lookups.ts';
import type { ReadSteering } from '../dynamodb/read-context.ts';
import type { ReadBatch } from '../dynamodb/read-table.ts';
import type { RoundControl } from '../dynamodb/reader/lookup-rounds.ts';
import type { TableRead } from '../dynamodb/table-read.ts';
import type { Database } from './session/database.ts';
import type { RunSliced } from '../scheduling/sliced-work.ts';
import type { ColumnBatch } from '../dynamodb/column-batch.ts';
import type { ChooseRead } from '../planning/share-reads.ts';
import type { ResultFormat, RowFormat } from './results/row-format.ts';

export interface RunContext {
  readonly database: Database;
  /** Chooses the read of a scan that found keys narrow, as `readingToTheEnd` does. Pure. */
  readonly chooseRead: ChooseRead;
  /**
   * Sends a read; its requests end with the signal. `rounds`: see `readTable`; `steering`: where it is followed page by
   * page.
   */
  readonly read: (
    read: TableRead,
    signal: AbortSignal,
    rounds: RoundControl | null,
    steering?: ReadSteering,
  ) => AsyncIterable<ReadBatch>;
  /** Ends the query; its reason is a PenstockError. */
  readonly signal: AbortSignal;
  readonly rowFormat: RowFormat;
  /** Other than `json`: the whole result is wanted, as it comes. */
  readonly format: ResultFormat;
  /** The last columns, of all others, are no columns, but what late ones are made of: only of NDJSON. Absent: not. */
  readonly hidesOthers?: boolean;
  /** Where the page ends; RESPONSE_BYTES_MAX where absent. */
  readonly responseBytesMax?: number | undefined;
  /** Runs what holds the process's thread. */
  readonly runSliced: RunSliced;
  /** Runs what takes as long as the statement is intricate: in slices, with room for other tenants after each. */
  readonly runSpaced: RunSliced;
  /** Before a statement is given to DuckDB: answers what to call once it is done. Throws the signal's reason. */
  readonly enterStatement: (signal: AbortSignal) => Promise<() => void>;
  /** Read units that the statement may consume yet; Infinity where nothing limits it. */
  readonly unitsLeft: () => number;
  /** Decides after each round of lookups whether they go on; tests force what `decideAfter` would rarely do. */
  readonly decideLookups?: typeof decideAfter | undefined;
  /** Shown every page that was read, e.g. to learn of new attributes. */
  readonly onBatch?: (read: TableRead, batch: ColumnBatch) => void;
}
