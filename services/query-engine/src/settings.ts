import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@penstock/common/config/config.ts';
import { settings } from '@penstock/common/config/settings.ts';
import { z } from 'zod';
import type { WorkerSettings } from './pipe/messages.ts';
import type { WorkloadClass } from './scheduling/admission.ts';
import type { FairQueueBounds } from './scheduling/fair-queue.ts';
import type { PausedBounds } from './scheduling/paused-results.ts';
import { BUDGETS_LOOK_MS } from './host/limits.ts';
import {
  CATALOG_FRESH_MS,
  CONCURRENT_QUERIES,
  CONCURRENT_SHORT_QUERIES,
  PAUSED_IDLE_MS,
  PAUSED_RESULTS_MAX,
  RETRY_AFTER_S,
  TENANT_SHARE_PERCENT,
  WAITING_QUERIES,
  WORKER_MEMORY_MB,
} from './limits.ts';

const count = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

/** Settings of the query engine. */
export const engineSettings = z.object({
  PENSTOCK_HOST: settings.PENSTOCK_HOST,
  PENSTOCK_RPC_PORT: settings.PENSTOCK_RPC_PORT,
  PENSTOCK_DRAIN_TIMEOUT_MS: settings.PENSTOCK_DRAIN_TIMEOUT_MS,
  PENSTOCK_REDIS_URL: settings.PENSTOCK_REDIS_URL,
  PENSTOCK_AUTH_TARGET: settings.PENSTOCK_AUTH_TARGET,
  PENSTOCK_REGISTRY_TARGET: settings.PENSTOCK_REGISTRY_TARGET,
  PENSTOCK_USAGE_TARGET: settings.PENSTOCK_USAGE_TARGET,
  PENSTOCK_AWS_ENDPOINT: settings.PENSTOCK_AWS_ENDPOINT,
  PENSTOCK_CONTROL_REGION: settings.PENSTOCK_CONTROL_REGION,
  PENSTOCK_ALLOW_OWN_ACCOUNT_ROLES: settings.PENSTOCK_ALLOW_OWN_ACCOUNT_ROLES,
  PENSTOCK_BASE_URL: settings.PENSTOCK_BASE_URL,
  PENSTOCK_DATA_DIR: settings.PENSTOCK_DATA_DIR.default(join(tmpdir(), 'penstock')),
  /** Processes that queries run in. */
  PENSTOCK_QUERY_WORKERS: count(1, 256).default(availableParallelism()),
  /** Resident memory that one of them may have, MiB: one that has more is ended. */
  PENSTOCK_WORKER_MEMORY_MB: count(256, 1_048_576).default(WORKER_MEMORY_MB),
  /** Memory for the tables of a worker's running queries, MiB; beyond it they spill to the data directory. */
  PENSTOCK_QUERY_MEMORY_MB: count(64, 1_048_576).default(96),
  /** What all workers may spill, MiB; each has its share of it. */
  PENSTOCK_QUERY_TEMP_MB: count(0, 16_777_216).default(4096),
  /** Threads that one statement may use. */
  PENSTOCK_QUERY_THREADS: count(1, 256).default(1),
  /** Long queries that run at the same time. */
  PENSTOCK_QUERY_CONCURRENCY: count(1, 1024).default(CONCURRENT_QUERIES),
  /** Short queries that run at the same time. */
  PENSTOCK_QUERY_SHORT_CONCURRENCY: count(1, 4096).default(CONCURRENT_SHORT_QUERIES),
  /** What one tenant may have of either, of the pages being read and of the statements in DuckDB, percent. */
  PENSTOCK_QUERY_TENANT_SHARE: count(1, 100).default(TENANT_SHARE_PERCENT),
  /** Read units a second of each table on demand for which its owner set nothing, of all queries; 0: no limit. */
  PENSTOCK_ON_DEMAND_UNITS_PER_SECOND: count(0, 1_000_000).default(0),
  /** How long what the registry says of tables is used without asking again. */
  PENSTOCK_CATALOG_FRESH_MS: count(100, CATALOG_FRESH_MS).default(CATALOG_FRESH_MS),
  /** Between two looks at the budgets that there are. */
  PENSTOCK_BUDGETS_LOOK_MS: count(100, BUDGETS_LOOK_MS).default(BUDGETS_LOOK_MS),
  /** 32 bytes in base64, the same for all engines: what is kept of pages in Redis is encrypted with it. */
  PENSTOCK_PAGE_POSITION_KEY: z
    .string()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((key) => key.length === 32, { error: 'must be 32 bytes in base64' })
    .optional(),
  /** Threads for statements and signatures: libuv's own setting, which has to be in the environment at the start. */
  UV_THREADPOOL_SIZE: count(2, 1024).default(4),
  /** Queries of each kind that wait; more are refused. */
  PENSTOCK_QUERY_QUEUE: count(0, 100_000).default(WAITING_QUERIES),
});

export type EngineSettings = Readonly<z.infer<typeof engineSettings>>;

/** Reads the settings; a bad one throws ConfigError naming the variable. */
export function readEngineSettings(env: Readonly<Record<string, string | undefined>>): EngineSettings {
  return readConfig(engineSettings, env);
}

/** How many queries of each workload class run and wait. */
export function classBounds(settings: EngineSettings): Readonly<Record<WorkloadClass, FairQueueBounds>> {
  const boundsOf = (places: number): FairQueueBounds => ({
    places,
    perTenant: Math.max(1, Math.floor((places * settings.PENSTOCK_QUERY_TENANT_SHARE) / 100)),
    waiting: settings.PENSTOCK_QUERY_QUEUE,
    retryAfterS: RETRY_AFTER_S,
  });
  return {
    short: boundsOf(settings.PENSTOCK_QUERY_SHORT_CONCURRENCY),
    long: boundsOf(settings.PENSTOCK_QUERY_CONCURRENCY),
  };
}

/** How many results may wait for their readers. */
export const pausedBounds = (settings: EngineSettings): PausedBounds => ({
  inAll: PAUSED_RESULTS_MAX,
  perTenant: Math.max(1, Math.floor((PAUSED_RESULTS_MAX * settings.PENSTOCK_QUERY_TENANT_SHARE) / 100)),
  idleMs: PAUSED_IDLE_MS,
});

/** `spillMb`: for all workers, the one that is kept apart among them. */
export function workerSettings(
  settings: EngineSettings,
  spillMb: number,
): Omit<WorkerSettings, 'tempDirectory' | 'workRecord'> {
  return {
    endpoint: settings.PENSTOCK_AWS_ENDPOINT ?? null,
    memoryMb: settings.PENSTOCK_QUERY_MEMORY_MB,
    tempMb: Math.floor(spillMb / (settings.PENSTOCK_QUERY_WORKERS + 1)),
    threads: settings.PENSTOCK_QUERY_THREADS,
    poolThreads: settings.UV_THREADPOOL_SIZE,
    tenantSharePercent: settings.PENSTOCK_QUERY_TENANT_SHARE,
    catalogFreshMs: settings.PENSTOCK_CATALOG_FRESH_MS,
    ...(settings.PENSTOCK_ON_DEMAND_UNITS_PER_SECOND === 0
      ? {}
      : { onDemandUnitsPerSecond: settings.PENSTOCK_ON_DEMAND_UNITS_PER_SECOND }),
  };
}
