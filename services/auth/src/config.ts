import { settings } from '@penstock/common/config/settings.ts';
import { z } from 'zod';

/** Settings of the auth service. */
export const authSettings = z.object({
  PENSTOCK_HOST: settings.PENSTOCK_HOST,
  PENSTOCK_RPC_PORT: settings.PENSTOCK_RPC_PORT,
  PENSTOCK_DRAIN_TIMEOUT_MS: settings.PENSTOCK_DRAIN_TIMEOUT_MS,
  PENSTOCK_REDIS_URL: settings.PENSTOCK_REDIS_URL,
  PENSTOCK_AWS_ENDPOINT: settings.PENSTOCK_AWS_ENDPOINT,
  PENSTOCK_CONTROL_REGION: settings.PENSTOCK_CONTROL_REGION,
  PENSTOCK_TABLE_PREFIX: settings.PENSTOCK_TABLE_PREFIX,
  PENSTOCK_CREATE_TABLES: settings.PENSTOCK_CREATE_TABLES,
  PENSTOCK_BASE_URL: settings.PENSTOCK_BASE_URL,
  PENSTOCK_MCP_URL: settings.PENSTOCK_MCP_URL,
  PENSTOCK_CONSOLE_URL: settings.PENSTOCK_CONSOLE_URL,
  PENSTOCK_KEY_ENCRYPTION_KEY: settings.PENSTOCK_KEY_ENCRYPTION_KEY,
  PENSTOCK_OPERATOR_TOKEN: settings.PENSTOCK_OPERATOR_TOKEN,
  /** As the gateway has them: for tenants that have only one limit of their own. */
  PENSTOCK_RATE_LIMIT_RPS: settings.PENSTOCK_RATE_LIMIT_RPS,
  PENSTOCK_RATE_LIMIT_BURST: settings.PENSTOCK_RATE_LIMIT_BURST,
});

export type AuthConfig = z.output<typeof authSettings>;
