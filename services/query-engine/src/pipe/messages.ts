/**
 * What an engine's host and its workers say to each other. `query` is the number that the host gave a query: it is never
 * given twice to a worker.
 */
import type { ErrorCode } from '@penstock/common/errors/codes.ts';
import type { TableFindings, KnownTable, TableReference } from '../clients/catalog-client.ts';
import type { AskedParameter, SqlRules, StatementDescription } from '../catalog/description.ts';
import type { Throttling } from '../scheduling/throttling.ts';

/** An error as it crosses. `cause` is for the log: an error's name and stack. */
export interface ErrorMessage {
  readonly code: ErrorCode;
  readonly message: string;
  readonly detail?: string | undefined;
  readonly retryAfterS?: number | undefined;
  readonly cause?: string | undefined;
}

/** All that a worker has of its settings. */
export interface WorkerSettings {
  readonly endpoint: string | null;
  readonly memoryMb: number;
  readonly tempDirectory: string;
  readonly tempMb: number;
  readonly threads: number;
  readonly poolThreads: number;
  readonly tenantSharePercent: number;
  /** Read units a second of tables on demand for which their owners set nothing; no limit where absent. */
  readonly onDemandUnitsPerSecond?: number;
  /** How long tables are used without asking the host about them; CATALOG_FRESH_MS where absent. */
  readonly catalogFreshMs?: number;
  /** False only in tests that compare; true where absent. */
  readonly pushdown?: boolean;
  /** The file of its work record. */
  readonly workRecord: string;
}

/** What a statement asks for, as the engine takes it. */
export interface StatementMessage {
  readonly sql: string;
  readonly parametersJson: string;
  readonly firstRowIdx: number;
  /** Null: the whole result. */
  readonly maxRows: number | null;
  readonly consistentRead: boolean;
  /** Schemas by which tables without one are found; absent: the tenant's only schema. */
  readonly searchPath?: readonly string[];
  /** As in the engine's StatementRequest. */
  readonly rules?: SqlRules | undefined;
}

/** A kind of statements that is not run for a while. */
export interface RefusedStatement {
  /** As `statementHash` has it. */
  readonly statementHash: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

export interface AskedMessage {
  readonly query: number;
  readonly tenantId: string;
  readonly requestId: string;
  readonly request: StatementMessage;
  /** It has a place among long queries already. */
  readonly isLong: boolean;
  /** The tenant's statements that are not run. */
  readonly refused: readonly RefusedStatement[];
  /** The trace that it belongs to, as `injectText` writes it. */
  readonly trace: string | null;
}

export type ToWorker =
  | { readonly kind: 'start'; readonly settings: WorkerSettings }
  | ({
      readonly kind: 'execute';
      readonly rowFormat: 'array' | 'object';
      readonly format: 'json' | 'ndjson' | 'csv' | 'parquet';
      /** See `LateAttributes`. */
      readonly lateAttributes: 'columns' | 'others' | 'drop' | 'warn' | 'refuse';
      readonly responseBytesMax: number | null;
      /** No rows are sent, nor read, ahead of those that the host has taken. */
      readonly isPaced: boolean;
      readonly maxReadUnits: number | null;
      /** Whoever asks has a budget: the host is asked before each page. */
      readonly hasBudget: boolean;
      /** What counts toward that limit already. */
      readonly readHalfUnits: number;
    } & AskedMessage)
  | ({ readonly kind: 'plan' } & AskedMessage)
  | ({ readonly kind: 'describe'; readonly parameters: readonly AskedParameter[] } & AskedMessage)
  | { readonly kind: 'cancel'; readonly query: number; readonly error: ErrorMessage }
  /** So many bytes of the query's rows were taken. */
  | { readonly kind: 'taken'; readonly query: number; readonly bytes: number }
  /** A table is throttled: another worker, or another engine's, found out. */
  | { readonly kind: 'slow'; readonly throttling: Throttling }
  | { readonly kind: 'tick'; readonly tick: number }
  /** Memory gets scarce: garbage is to be collected now. */
  | { readonly kind: 'collect' }
  /** What is the hash of this statement's fingerprint? */
  | { readonly kind: 'hash'; readonly ask: number; readonly sql: string }
  | { readonly kind: 'answer'; readonly ask: number; readonly answer: unknown }
  | { readonly kind: 'refusal'; readonly ask: number; readonly error: ErrorMessage };

/** Whose credentials: the host knows the tenant. */
export interface AccessMessage {
  readonly roleArn: string;
  readonly externalId: string;
  readonly region: string;
  readonly tableAllowlist: readonly string[];
}

/** A worker's question about a query of its own. */
export type Question =
  | {
      readonly what: 'tables';
      readonly references: readonly (TableReference & KnownTable)[];
      readonly maySample: boolean;
    }
  | { readonly what: 'credentials'; readonly access: AccessMessage }
  | {
      readonly what: 'renewal';
      readonly access: AccessMessage;
      readonly used: string | null;
      readonly why: 'expired' | 'denied';
    }
  /** `mayMove`: nothing was read yet, so another worker may have it. */
  | { readonly what: 'promotion'; readonly mayMove: boolean }
  | ({ readonly what: 'page' } & PageQuestion)
  /** Where does the page begin? Answered with a text, or null where nobody knows. */
  | { readonly what: 'position'; readonly scope: string }
  /** And what else had pages before, as their columns or their time? */
  | { readonly what: 'besides'; readonly scope: string };

/** May a page be read? Answered once it may. `page`: a number that the worker gives no other page of the query. */
export interface PageQuestion {
  readonly page: number;
  /** What it counts on; null: on no bucket. */
  readonly bucket: BucketMessage | null;
  /** Half units that it costs whatever it finds, and at most. */
  readonly least: number;
  readonly most: number;
}

/** A token bucket of the tenant. */
export interface BucketMessage {
  readonly name: string;
  readonly unitsPerSecond: number;
  /** The schema's owner set it. */
  readonly isSet: boolean;
}

/** `bytes` of the message: the tables of this kind, as the registry's messages, one after the other. */
export type TableAnswer =
  | { readonly kind: 'table'; readonly checkedAt: number; readonly bytes: number }
  | { readonly kind: 'unchanged'; readonly checkedAt: number }
  | { readonly kind: 'error'; readonly error: ErrorMessage };

export interface CredentialsAnswer {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A change of a metric that the host keeps; several of one second are one. */
export type MetricMessage =
  | { readonly metric: 'cacheLookup'; readonly cache: string; readonly hit: boolean; readonly count: number }
  | {
      readonly metric: 'observed';
      readonly name: string;
      readonly labels: Readonly<Record<string, string>>;
      readonly values: readonly number[];
    };

/** What a worker knows of itself. */
export interface WorkerStatus {
  readonly duckdbMemoryBytes: number;
  readonly duckdbSpilledBytes: number;
}

/** Small and urgent. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'tock'; readonly tick: number }
  | { readonly kind: 'question'; readonly query: number; readonly ask: number; readonly question: Question }
  /** A page that was asked for has come, or is not wanted any more. */
  | {
      readonly kind: 'page';
      readonly query: number;
      readonly page: number;
      readonly halfUnits: number;
      /** Its table is to be left alone for so long, milliseconds: DynamoDB throttled it. */
      readonly holdMs: number;
    }
  /** DynamoDB throttled a table. */
  | { readonly kind: 'throttled'; readonly throttling: Throttling }
  | { readonly kind: 'found'; readonly query: number; readonly found: TableFindings }
  | {
      readonly kind: 'disagreed';
      readonly statementHash: string;
      readonly outcome: string;
      readonly where: string | null;
    }
  | { readonly kind: 'metrics'; readonly metrics: readonly MetricMessage[] }
  | { readonly kind: 'status'; readonly status: WorkerStatus }
  | { readonly kind: 'hashed'; readonly ask: number; readonly statementHash: string };

export interface HeaderMessage {
  readonly columns: readonly string[];
  readonly columnTypes: readonly string[];
}

export interface EndMessage {
  readonly rowCount: number;
  readonly resumeIdx: number | null;
  readonly warnings: readonly string[];
  readonly planTimeMs: number;
  /** What each read came to; none of a page. */
  readonly reads: readonly {
    readonly table: string;
    readonly alias: string;
    readonly readUnits: number;
    readonly items: number;
  }[];
  /** Where the next page begins: to be kept. */
  readonly position?: { readonly scope: string; readonly text: string };
  /** What else it is to have, as the columns or the time of the pages before. */
  readonly besides?: readonly { readonly scope: string; readonly text: string }[];
}

export interface PlanMessage {
  readonly text: string;
  readonly weight: number;
  readonly estimatedReadUnits: { readonly low: number; readonly high: number };
  /** What it costs at least and at most, whatever it finds. */
  readonly certainReadUnits: { readonly low: number; readonly high: number };
  readonly normalizedSql: string;
  readonly planTimeMs: number;
  readonly warnings: readonly string[];
}

/**
 * Results. The last message of each query says what its reads cost all together. Where it does not come, the work record
 * says that.
 */
export type ResultFromWorker =
  | ({ readonly kind: 'header'; readonly query: number } & HeaderMessage)
  | { readonly kind: 'rows'; readonly query: number; readonly rowCount: number }
  | { readonly kind: 'end'; readonly query: number; readonly end: EndMessage; readonly halfUnits: number }
  /** A short result; the bytes are its rows. */
  | {
      readonly kind: 'whole';
      readonly query: number;
      readonly header: HeaderMessage;
      readonly end: EndMessage;
      readonly halfUnits: number;
    }
  | { readonly kind: 'planned'; readonly query: number; readonly plan: PlanMessage }
  | {
      readonly kind: 'described';
      readonly query: number;
      readonly description: StatementDescription;
    }
  | { readonly kind: 'moved'; readonly query: number }
  | {
      readonly kind: 'failed';
      readonly query: number;
      readonly error: ErrorMessage;
      readonly halfUnits: number;
      /** It found no memory beside queries of other tenants: elsewhere it may. */
      readonly isCrowdedOut?: boolean;
    };
