import { readConfig } from '@penstock/common/config/config.ts';
import { integer, settings } from '@penstock/common/config/settings.ts';
import { z } from 'zod';
import { TENANT_SCHEMAS_MAX } from './limits.ts';

/** What the registry's server and its worker both need. */
const shared = {
  PENSTOCK_REDIS_URL: settings.PENSTOCK_REDIS_URL,
  PENSTOCK_AWS_ENDPOINT: settings.PENSTOCK_AWS_ENDPOINT,
  PENSTOCK_CONTROL_REGION: settings.PENSTOCK_CONTROL_REGION,
  PENSTOCK_TABLE_PREFIX: settings.PENSTOCK_TABLE_PREFIX,
  PENSTOCK_CREATE_TABLES: settings.PENSTOCK_CREATE_TABLES,
  PENSTOCK_ALLOW_OWN_ACCOUNT_ROLES: settings.PENSTOCK_ALLOW_OWN_ACCOUNT_ROLES,
  PENSTOCK_STS_CHECKS_EXTERNAL_ID: settings.PENSTOCK_STS_CHECKS_EXTERNAL_ID,
};

/** Settings of the worker. */
export const workerSettings = z.object(shared);

/** Settings of the service. */
export const serverSettings = z.object({
  ...shared,
  PENSTOCK_HOST: settings.PENSTOCK_HOST,
  PENSTOCK_RPC_PORT: settings.PENSTOCK_RPC_PORT,
  PENSTOCK_DRAIN_TIMEOUT_MS: settings.PENSTOCK_DRAIN_TIMEOUT_MS,
  PENSTOCK_AUTH_TARGET: settings.PENSTOCK_AUTH_TARGET,
  PENSTOCK_BASE_URL: settings.PENSTOCK_BASE_URL,
  /** Schemas that a tenant may have. */
  PENSTOCK_TENANT_SCHEMAS_MAX: integer(1, 100_000).default(TENANT_SCHEMAS_MAX),
  /** For claims of roles; absent: nobody may see or change them. */
  PENSTOCK_OPERATOR_TOKEN: settings.PENSTOCK_OPERATOR_TOKEN.optional(),
});

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of `worker.ts`. */
export type WorkerSettings = Readonly<z.infer<typeof workerSettings>>;

/** Settings of `main.ts`. */
export type ServerSettings = Readonly<z.infer<typeof serverSettings>>;

/** Reads the worker's settings; a bad one throws ConfigError naming the variable. */
export function readWorkerSettings(env: Environment): WorkerSettings {
  return readConfig(workerSettings, env);
}

/** Reads the server's settings; a bad one throws ConfigError naming the variable. */
export function readServerSettings(env: Environment): ServerSettings {
  return readConfig(serverSettings, env);
}
