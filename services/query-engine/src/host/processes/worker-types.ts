/** What a query worker is to its host: what it is started with, what it tells, and what can be done with it. */
import type { Throttling } from '../../scheduling/throttling.ts';
import type {
  FromWorker,
  MetricMessage,
  ToWorker,
  WorkerSettings,
  WorkerStatus,
} from '../../pipe/messages.ts';
import type { LossCause } from './loss.ts';
import type { Run } from './run.ts';
import type { TenantWork } from './tenant-work.ts';
import type { WorkerCommand } from './worker-child.ts';

/** `still`: for a moment it does not answer; it may go on. */
export type WorkerState = 'starting' | 'ready' | 'still' | 'ended';

/** A message that begins a query. */
export type QueryMessage = Extract<ToWorker, { kind: 'execute' | 'plan' | 'describe' }>;

/** What a killed worker worked on. */
export interface Death {
  readonly worker: number;
  readonly cause: LossCause | 'closed';
  /** Suspects, as far as they are known, and whether they are certain. */
  readonly suspects: readonly { readonly run: Run; readonly isCertain: boolean }[];
  readonly residentMb: number | null;
  readonly wasReady: boolean;
}

export interface WorkerEvents {
  onReady(): void;
  /** It is being killed, and does no more. */
  onKilled(): void;
  /** It was killed, or ended by itself. Told once, after everything that it had said. */
  onDeath(death: Death): void;
  onMetrics(metrics: readonly MetricMessage[]): void;
  /** DynamoDB throttled a table. */
  onThrottled(throttling: Throttling): void;
  onDisagreement(message: Extract<FromWorker, { kind: 'disagreed' }>): void;
  /** It answered; for so long it had not, milliseconds. */
  onTick(silentMs: number): void;
  /** It stood still, and does no more. */
  onGoingOn(): void;
  /** Whether there is another worker that could take its queries. */
  hasOther(): boolean;
}

export interface WorkerProcessOptions {
  readonly id: number;
  readonly command: WorkerCommand;
  readonly settings: Omit<WorkerSettings, 'tempDirectory' | 'workRecord'>;
  /** A folder of this worker alone is made in it. */
  readonly spillFolder: string;
  readonly memoryMbMax: number;
  readonly events: WorkerEvents;
}

export interface WorkerProcess {
  readonly id: number;
  readonly pid: number | null;
  readonly state: WorkerState;
  /** Queries that it has, long ones among them. */
  readonly load: { readonly short: number; readonly long: number };
  readonly status: WorkerStatus | null;
  residentBytes(): number | null;
  /** What it holds leaves room for a query that may need much; also where nobody knows. */
  hasRoom(): boolean;
  /** What it has worked lately for slow queries of the tenant, milliseconds. */
  workFor(tenantId: string): number;
  /** The most that it has worked so for any other. */
  workForOthers(tenantId: string): number;
  /** Counts what another one has worked as its own: it takes that one's place. */
  takeOver(work: Pick<TenantWork, 'entries'>): void;
  readonly work: Pick<TenantWork, 'entries'>;
  run(message: QueryMessage, run: Run): void;
  /** Tells it to stop a query, with the error to end it with; and kills it where it does not. */
  stop(query: number, error: unknown): void;
  taken(query: number, bytes: number): void;
  /** What a query that it has is known to have read by now. */
  halfUnitsOf(query: number): number;
  /** Tells it of a table that is throttled. */
  slow(throttling: Throttling): void;
  /** The hash of a statement's fingerprint; rejects where the worker ends before it answers. */
  hash(sql: string): Promise<string>;
  /** Ends it, whatever it does. Resolves when it is gone, with all its files. */
  close(): Promise<void>;
}
