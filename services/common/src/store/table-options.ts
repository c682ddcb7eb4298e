import type { Logger } from '../logging/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** All keys of the control plane are strings. */
export interface TableKeys {
  readonly partitionKey: string;
  readonly sortKey?: string;
}

interface TableIndex extends TableKeys {
  readonly name: string;
}

export interface ControlTableOptions {
  /** A local AWS endpoint; AWS itself where absent. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly tableName: string;
  readonly keys: TableKeys;
  /** Global, with all attributes. */
  readonly indexes?: readonly TableIndex[];
  /** Holds epoch seconds; items vanish some time after that. Expiry must be checked at read all the same. */
  readonly ttlAttribute?: string;
  /** For stacks that nobody provisions. False: the table must be there. */
  readonly createIfMissing: boolean;
  readonly metrics?: Metrics | undefined;
  readonly logger?: Logger | undefined;
  /** How often an open table is looked at; see `keepPresent`. */
  readonly checkIntervalMs?: number;
}
