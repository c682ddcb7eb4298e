import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@penstock/common/config/config.ts';
import { settings } from '@penstock/common/config/settings.ts';
import { z } from 'zod';
import { CONCURRENT_QUERIES, WAITING_QUERIES } from './limits.ts';

const count = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

const engineSettings = z.object({
  PENSTOCK_HOST: settings.PENSTOCK_HOST,
  PENSTOCK_RPC_PORT: settings.PENSTOCK_RPC_PORT,
  PENSTOCK_DRAIN_TIMEOUT_MS: settings.PENSTOCK_DRAIN_TIMEOUT_MS,
  PENSTOCK_REDIS_URL: settings.PENSTOCK_REDIS_URL,
  PENSTOCK_AUTH_TARGET: settings.PENSTOCK_AUTH_TARGET,
  PENSTOCK_REGISTRY_TARGET: settings.PENSTOCK_REGISTRY_TARGET,
  PENSTOCK_AWS_ENDPOINT: settings.PENSTOCK_AWS_ENDPOINT,
  PENSTOCK_CONTROL_REGION: settings.PENSTOCK_CONTROL_REGION,
  PENSTOCK_BASE_URL: settings.PENSTOCK_BASE_URL,
  PENSTOCK_DATA_DIR: settings.PENSTOCK_DATA_DIR.default(join(tmpdir(), 'penstock')),
  /** Memory for the tables of all running queries, MiB; beyond it they spill to the data directory. */
  PENSTOCK_QUERY_MEMORY_MB: count(64, 1_048_576).default(96),
  /** What may be spilled, MiB. */
  PENSTOCK_QUERY_TEMP_MB: count(0, 16_777_216).default(4096),
  /** Threads that one statement may use. */
  PENSTOCK_QUERY_THREADS: count(1, 256).default(1),
  PENSTOCK_QUERY_CONCURRENCY: count(1, 1024).default(CONCURRENT_QUERIES),
  PENSTOCK_QUERY_QUEUE: count(0, 100_000).default(WAITING_QUERIES),
});

export type EngineSettings = Readonly<z.infer<typeof engineSettings>>;

/** Reads the settings; a bad one throws ConfigError naming the variable. */
export function readEngineSettings(env: Readonly<Record<string, string | undefined>>): EngineSettings {
  return readConfig(engineSettings, env);
}
